import { page, report, type SiteDefinition } from './site.ts'

export interface InvoiceState {
  readonly approved: string[]
}

const invoices = Array.from({ length: 120 }, (_, at) => ({
  id: `INV-${1001 + at}`,
  customer: ['Ada', 'Ben', 'Cem', 'Dora', 'Eve'][at % 5] as string,
  status: ['Open', 'Paid', 'Late'][at % 3] as string,
}))
const pageSize = 10

/** A table with a filter, ten rows per page, and the same buttons in every row. */
export const invoiceTable: SiteDefinition<InvoiceState> = {
  start: () => ({ approved: [] }),
  respond({ path, query, json, isPost }, state) {
    if (isPost && path === '/approve') {
      state.approved.push(String(json))
      return { json: true }
    }
    const status = query.get('status') ?? ''
    const found = invoices.filter(each => status === '' || each.status === status)
    const current = Number(query.get('page') ?? 1)
    const rows = found.slice((current - 1) * pageSize, current * pageSize)
    const pages = Array.from({ length: Math.ceil(found.length / pageSize) }, (_, at) => at + 1)
    const href = (at: number) => `/?status=${status}&page=${at}`
    return {
      html: page(
        'Invoices',
        `<h1>Invoices</h1><form id="filter"><label>Status <select name="status">${['', 'Open', 'Paid', 'Late'].map(each => `<option value="${each}" ${each === status ? 'selected' : ''}>${each || 'Any'}</option>`).join('')}</select></label></form>
        <table><thead><tr><th>Invoice</th><th>Customer</th><th>Status</th><th>Actions</th></tr></thead><tbody>${rows
          .map(
            ({ id, customer, status: is }) =>
              `<tr><td>${id}</td><td>${customer}</td><td>${is}</td><td><button type="button" data-id="${id}">Approve</button> <button type="button">Details</button></td></tr>`,
          )
          .join('')}</tbody></table>
        <nav aria-label="Pages">${current > 1 ? `<a href="${href(current - 1)}">Previous</a> ` : ''}${pages.map(at => (at === current ? `<b>${at}</b> ` : `<a href="${href(at)}">${at}</a> `)).join('')}${current < pages.length ? `<a href="${href(current + 1)}">Next</a>` : ''}</nav><p role="status" id="said"></p>`,
        `${report} filter.status.onchange = () => filter.submit(); document.querySelectorAll('[data-id]').forEach(button => button.onclick = async () => { await report('/approve', button.dataset.id); said.textContent = button.dataset.id + ' was approved.'; button.disabled = true })`,
      ),
    }
  },
}

export interface PeopleState {
  readonly followed: string[]
}

/** Loads 20 people at a time when the end of the list comes into view. */
export const people: SiteDefinition<PeopleState> = {
  start: () => ({ followed: [] }),
  respond({ path, query, json, isPost }, state) {
    if (isPost && path === '/follow') {
      state.followed.push(String(json))
      return { json: true }
    }
    if (path === '/more') {
      const from = Number(query.get('from'))
      return { json: Array.from({ length: from >= 120 ? 0 : 20 }, (_, at) => `Person ${from + at + 1}`) }
    }
    return {
      html: page(
        'People',
        '<h1>People</h1><ul id="list"></ul><div id="end" style="height:1px"></div>',
        `${report}
        let count = 0, busy = false
        const follow = async (name, button) => { await report('/follow', name); button.textContent = 'Following'; button.disabled = true }
        const load = async () => {
          if (busy) return
          busy = true
          for (const name of await (await fetch('/more?from=' + count)).json()) {
            const item = document.createElement('li'), words = document.createElement('p'), button = document.createElement('button')
            item.style.minHeight = '80px'
            words.textContent = name
            button.textContent = 'Follow'
            button.onclick = () => follow(name, button)
            item.append(words, button)
            list.append(item)
            count++
          }
          busy = false
        }
        new IntersectionObserver(([entry]) => entry.isIntersecting && load(), { rootMargin: '200px' }).observe(end)`,
      ),
    }
  },
}

export interface CityState {
  readonly searched: string[]
  shown?: string
}

const cities = ['Berlin', 'Bergen', 'Bern', 'Bergamo', 'Paris', 'Prague', 'Porto', 'Lima', 'Lisbon']

/** A combobox that suggests cities while one types. */
export const cityFinder: SiteDefinition<CityState> = {
  start: () => ({ searched: [] }),
  respond({ path, query, json, isPost }, state) {
    if (path === '/suggest') {
      const words = (query.get('q') ?? '').toLowerCase()
      state.searched.push(words)
      return { json: words === '' ? [] : cities.filter(each => each.toLowerCase().startsWith(words)) }
    }
    if (isPost && path === '/show') {
      state.shown = String(json)
      return { json: true }
    }
    return {
      html: page(
        'Weather',
        `<h1>Weather</h1><label>Search a city <input id="city" role="combobox" aria-expanded="false" aria-controls="options" autocomplete="off"></label><ul id="options" role="listbox" aria-label="Cities" hidden></ul><button id="show" type="button" disabled>Show the weather</button><p role="status" id="said"></p>`,
        `${report}
        let chosen
        const choose = name => { chosen = name; city.value = name; options.hidden = true; city.setAttribute('aria-expanded', 'false'); show.disabled = false }
        city.oninput = async () => {
          const words = city.value, found = await (await fetch('/suggest?q=' + encodeURIComponent(words))).json()
          if (city.value !== words) return
          options.replaceChildren(...found.map(name => { const option = document.createElement('li'); option.role = 'option'; option.tabIndex = -1; option.textContent = name; option.onclick = () => choose(name); return option }))
          options.hidden = found.length === 0
          city.setAttribute('aria-expanded', String(found.length > 0))
        }
        show.onclick = async () => { await report('/show', chosen); said.textContent = 'Sunny in ' + chosen }`,
      ),
    }
  },
}
