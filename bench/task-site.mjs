import { once } from 'node:events'
import { createServer } from 'node:http'

const style = `<style>body { font: 16px sans-serif; margin: 0 } nav, footer { padding: 8px; background: #eee } main { padding: 16px }
  table { border-collapse: collapse } td, th { padding: 4px 8px; border: 1px solid #ccc } .card { border: 1px solid #ccc; padding: 8px; margin: 8px }
  .board { display: flex; gap: 16px } .column { width: 260px; min-height: 300px; background: #f4f4f4; padding: 8px }
  .error { color: #b00 } dialog { padding: 24px }</style>`
const sections = ['Kitchen', 'Garden', 'Office', 'Books', 'Music', 'Toys', 'Outdoor', 'Pets', 'Health', 'Gifts', 'Sale', 'New']
const nav = `<nav>${sections.map(name => `<a href="#${name}">${name}</a> `).join('')}<a href="#account">Account</a> <a href="#cart">Cart</a></nav>`
const footer = `<footer>${['Imprint', 'Privacy', 'Terms', 'Returns', 'Shipping', 'Careers', 'Press', 'Contact', 'Help', 'Status'].map(name => `<a href="#${name}">${name}</a> `).join('')}</footer>`
const page = (title, body, script = '') =>
  `<!doctype html><html lang="en"><title>${title}</title>${style}<body>${nav}<main>${body}</main>${footer}<script>${script}</script>`

const products = Array.from({ length: 60 }, (_, at) => ({
  name: `${['Teapot', 'Kettle', 'Cup', 'Tray'][at % 4]} ${['Oak', 'Ash', 'Elm', 'Fir', 'Yew'][at % 5]} ${at + 1}`,
  price: 12 + ((at * 7) % 53),
  stock: at % 3 !== 0,
}))

function shop({ q = '', stock = '', sort = '' }) {
  const found = products.filter(({ name, stock: has }) => name.toLowerCase().includes(q.toLowerCase()) && (stock === '' || has))
  if (sort === 'price') found.sort((one, other) => one.price - other.price)
  return page(
    'Shop',
    `<h1>Tea things</h1><form><label>Search <input name=q value="${q}"></label>
      <label><input type=checkbox name=stock ${stock && 'checked'}> In stock only</label>
      <label>Sort by <select name=sort><option value="">Relevance<option value=price ${sort && 'selected'}>Lowest price</select></label><button>Apply</button></form>
      <p>${found.length} products</p>${found
        .map(
          ({ name, price, stock: has }) => `<div class=card><h2><a href="/product?name=${encodeURIComponent(name)}">${name}</a></h2>
            <p>$${price}.00 · ${has ? 'In stock' : 'Sold out'}</p><button type=button>Add to cart</button> <button type=button>Save</button></div>`,
        )
        .join('')}`,
  )
}

const product = ({ name = '' }) =>
  page(name, `<h1>${name}</h1><p>Price: $${products.find(each => each.name === name)?.price}.00</p><button>Add to cart</button>`)

const login = page(
  'Log in',
  `<h1>Log in</h1><form id=first><label>Email <input name=email type=email></label><label>Password <input name=password type=password></label>
    <button>Continue</button></form><div id=more></div>`,
  `first.onsubmit = event => { event.preventDefault(); more.textContent = 'Checking…'; setTimeout(() => {
    first.remove(); more.innerHTML = '<p>We sent a code to your phone: it begins with 48.</p><form id=second><label>Code <input name=code inputmode=numeric></label><button>Verify</button></form>'
    second.onsubmit = event => { event.preventDefault(); setTimeout(() => { location.href = '/home' }, 300) } }, 700) }`,
)
const home = page('Home', '<h1>Welcome, Ann</h1><p>You have 3 open orders.</p>')

const orders = page(
  'Orders',
  `<h1>Your orders</h1><table><thead><tr><th>Order<th>Date<th>Total<th>State<th></tr></thead><tbody>${Array.from(
    { length: 40 },
    (_, at) =>
      `<tr><td>#${1001 + at}<td>2026-10-${1 + (at % 28)}<td>$${20 + at}.00<td>${at % 4 ? 'Shipped' : 'Open'}<td><button>Details</button> <button class=cancel>Cancel</button></tr>`,
  ).join('')}</tbody></table>
    <dialog id=ask><h2>Cancel this order?</h2><label>Reason <select id=why><option>Choose<option>Ordered by mistake<option>Too late</select></label>
    <button id=no>Keep it</button> <button id=yes>Cancel order</button></dialog><p role=status id=told></p>`,
  `let row; document.querySelector('tbody').onclick = event => { if (!event.target.matches('.cancel')) return; row = event.target.closest('tr'); ask.showModal() }
    no.onclick = () => ask.close()
    yes.onclick = () => { if (why.selectedIndex === 0) return; ask.close(); setTimeout(() => {
      row.cells[3].textContent = 'Cancelled'; told.textContent = 'Order ' + row.cells[0].textContent + ' was cancelled.' }, 600) }`,
)

const apply = page(
  'Apply',
  `<h1>Apply for Baker</h1><form id=form><label>First name <input name=first></label><label>Last name <input name=last></label>
    <label>Email <input name=email></label><label>Phone <input name=phone></label>
    <label>Start <select name=start><option>Now<option>Next month<option>Next year</select></label>
    <label><input type=checkbox name=night> I can work at night</label><label>CV <input type=file name=cv></label>
    <label>About you <textarea name=about></textarea></label><p class=error role=alert id=wrong></p><button>Send application</button></form>`,
  `form.onsubmit = event => { event.preventDefault(); const { phone, cv } = form.elements
    wrong.textContent = !/^\\d{10}$/.test(phone.value) ? 'Phone: give ten digits.' : cv.files.length === 0 ? 'CV: choose a file.' : ''
    if (wrong.textContent === '') setTimeout(() => { document.querySelector('main').innerHTML = '<h1>Thank you</h1><p>Application 7731 received with ' + cv.files[0].name + '.</p>' }, 400) }`,
)

const checkout = other =>
  page(
    'Checkout',
    `<h1>Pay $48.00</h1><label>Name on receipt <input></label><iframe title="Card payment" src="${other}card" width=420 height=260></iframe><p role=status id=told>Not paid yet.</p>`,
    `addEventListener('message', () => setTimeout(() => { told.textContent = 'Paid. Receipt 5512.' }, 500))`,
  )
const card = `<!doctype html><title>Card</title>${style}<form id=pay><label>Card number <input name=number></label><br><label>Expiry <input name=expiry></label><br>
  <label>Security code <input name=cvc></label><br><button>Pay now</button></form><script>pay.onsubmit = event => { event.preventDefault(); parent.postMessage('paid', '*') }</script>`

const tickets = ['Fix login', 'Write docs', 'Ship 1.2', 'Rename API', 'Add tests', 'Update logo', 'Clean cache', 'Plan sprint']
const board = page(
  'Board',
  `<h1>Sprint 14</h1><div class=board>${['To do', 'Doing', 'Done']
    .map(
      (name, column) =>
        `<section class=column aria-label="${name}"><h2>${name} (<span>0</span>)</h2>${tickets
          .filter((_, at) => at % 3 === column)
          .map(ticket => `<article class=card draggable=true aria-label="${ticket}">${ticket} <button>Edit</button></article>`)
          .join('')}</section>`,
    )
    .join('')}</div>`,
  `let moving; const count = () => document.querySelectorAll('.column').forEach(each => { each.querySelector('span').textContent = each.querySelectorAll('.card').length })
    document.querySelectorAll('.card').forEach(each => { each.ondragstart = () => { moving = each } })
    document.querySelectorAll('.column').forEach(each => { each.ondragover = event => event.preventDefault(); each.ondrop = event => { event.preventDefault(); each.append(moving); setTimeout(count, 200) } })
    count()`,
)

/** Six small applications on loopback. The card form is on another origin than the shop. */
export async function openTaskSite() {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost')
    const query = Object.fromEntries(searchParams)
    const port = server.address().port
    const pages = { '/login': login, '/home': home, '/orders': orders, '/apply': apply, '/card': card, '/board': board }
    const dynamic = {
      '/shop': () => shop(query),
      '/product': () => product(query),
      '/checkout': () => checkout(`http://localhost:${port}/`),
    }
    const html = pages[pathname] ?? dynamic[pathname]?.()
    response.writeHead(html ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    response.end(html ?? '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}
