import { escapeHtml, page, type SiteDefinition } from './site.ts'

export interface ShopState {
  readonly cart: string[]
  readonly orders: { readonly items: readonly string[]; readonly name: string; readonly email: string; readonly address: string }[]
}

interface ShopWords {
  readonly products: readonly string[]
  readonly title: string
  readonly add: string
  readonly cart: string
  readonly checkOut: string
  readonly fields: readonly (readonly [name: string, label: string])[]
  readonly order: string
  readonly thanks: string
  readonly search: string
}

const english: ShopWords = {
  products: [
    'Blue teapot',
    'Red teapot',
    'Green teapot',
    'Oak tray',
    'Ash tray',
    'Tin cup',
    'Glass cup',
    'Small kettle',
    'Large kettle',
    'Tea cosy',
  ],
  title: 'Tea things',
  add: 'Add to cart',
  cart: 'Cart',
  checkOut: 'Check out',
  fields: [
    ['name', 'Full name'],
    ['email', 'Email'],
    ['address', 'Address'],
  ],
  order: 'Place order',
  thanks: 'Thank you',
  search: 'Search',
}
const chinese: ShopWords = {
  products: ['蓝色茶壶', '红色茶壶', '绿色茶壶', '木托盘', '玻璃杯'],
  title: '茶具店',
  add: '加入购物车',
  cart: '购物车',
  checkOut: '去结算',
  fields: [],
  order: '提交订单',
  thanks: '谢谢',
  search: '搜索',
}

/** Products, a cart, a form, an order: four pages. */
const shop = (words: ShopWords): SiteDefinition<ShopState> => ({
  start: () => ({ cart: [], orders: [] }),
  respond({ path, query, form, isPost }, state) {
    if (isPost && path === '/add') {
      state.cart.push(form.get('product') ?? '')
      return { redirect: '/' }
    }
    if (isPost && path === '/order') {
      const field = (name: string) => form.get(name) ?? ''
      state.orders.push({ items: state.cart.splice(0), name: field('name'), email: field('email'), address: field('address') })
      return { redirect: '/thanks' }
    }
    if (path === '/thanks') return { html: page(words.thanks, `<h1>${words.thanks}</h1><p>Order ${state.orders.length} was placed.</p>`) }
    if (path === '/cart') {
      const rows = state.cart.map(each => `<li>${escapeHtml(each)}</li>`).join('')
      return { html: page(words.cart, `<h1>${words.cart}</h1><ul>${rows}</ul><a href="/checkout">${words.checkOut}</a>`) }
    }
    if (path === '/checkout') {
      const fields = words.fields.map(([name, label]) => `<label>${label} <input name="${name}" required></label>`).join('')
      return {
        html: page(
          words.checkOut,
          `<h1>${words.checkOut}</h1><form method="post" action="/order">${fields}<button>${words.order}</button></form>`,
        ),
      }
    }
    const wanted = query.get('q') ?? ''
    const items = words.products
      .filter(each => each.toLowerCase().includes(wanted.toLowerCase()))
      .map(
        each =>
          `<li><h2>${each}</h2><p>$${each.length}.50</p><form method="post" action="/add"><input type="hidden" name="product" value="${each}"><button>${words.add}</button></form></li>`,
      )
    const cart = `<p><a href="/cart">${words.cart} (${state.cart.length})</a></p>`
    const search = `<form role="search"><label>${words.search} <input name="q" type="search" value="${escapeHtml(wanted)}"></label><button>${words.search}</button></form>`
    return { html: page(words.title, `<h1>${words.title}</h1>${cart}${search}<ul>${items.join('')}</ul>`) }
  },
})

export const englishShop = shop(english)
export const chineseShop = shop(chinese)
