import { page, report, type SiteDefinition } from './site.ts'

export interface BookingState {
  booked?: string
}

/** A calendar of buttons, one month at a time, starting in September 2026. */
export const booking: SiteDefinition<BookingState> = {
  start: () => ({}),
  respond({ path, json, isPost }, state) {
    if (isPost && path === '/book') {
      state.booked = String(json)
      return { json: true }
    }
    return {
      html: page(
        'Book a room',
        `<h1>Book a room</h1><label>Arrival date <input id="date" readonly placeholder="Choose a day"></label>
        <div id="calendar" role="dialog" aria-label="Calendar" hidden><button type="button" id="before" aria-label="Previous month">‹</button> <h2 id="month" aria-live="polite"></h2> <button type="button" id="after" aria-label="Next month">›</button><table role="grid" id="days"></table></div>
        <button type="button" id="book">Book</button><p role="status" id="said"></p>`,
        `${report}
        let year = 2026, at = 8
        const pad = number => String(number).padStart(2, '0')
        const draw = () => {
          month.textContent = new Date(Date.UTC(year, at, 1)).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
          const first = (new Date(Date.UTC(year, at, 1)).getUTCDay() + 6) % 7, count = new Date(Date.UTC(year, at + 1, 0)).getUTCDate()
          days.replaceChildren()
          let row
          for (let cell = 0; cell < first + count; cell++) {
            if (cell % 7 === 0) row = days.insertRow()
            const td = row.insertCell(), day = cell - first + 1
            if (day < 1) continue
            const button = document.createElement('button')
            button.type = 'button'
            button.textContent = day
            button.onclick = () => { date.value = year + '-' + pad(at + 1) + '-' + pad(day); calendar.hidden = true }
            td.append(button)
          }
        }
        const move = by => { at += by; if (at > 11) { at = 0; year++ } if (at < 0) { at = 11; year-- } draw() }
        date.onclick = () => { calendar.hidden = false; draw() }
        before.onclick = () => move(-1)
        after.onclick = () => move(1)
        book.onclick = async () => { await report('/book', date.value); said.textContent = 'Booked for ' + date.value }`,
      ),
    }
  },
}

export interface ApplicationState {
  readonly received: { readonly file: string; readonly text: string }[]
}

/** A file field in a form. */
export const application: SiteDefinition<ApplicationState> = {
  start: () => ({ received: [] }),
  respond({ path, files, isPost }, state) {
    if (isPost && path === '/apply') {
      const { name = '', text = '' } = files.get('cv') ?? {}
      state.received.push({ file: name, text })
      return { redirect: '/received' }
    }
    if (path === '/received') return { html: page('Received', '<h1>Application</h1><p role="status">Your application was received.</p>') }
    return {
      html: page(
        'Apply',
        `<h1>Apply</h1><form method="post" action="/apply" enctype="multipart/form-data"><label>Your name <input name="name"></label><label>CV <input type="file" name="cv"></label><button>Send application</button></form>`,
      ),
    }
  },
}

export interface PaymentState {
  readonly payments: { readonly number: string; readonly expiry: string; readonly code: string }[]
}

/** The fields of a card are in a frame, as payment providers do it. */
export const payment: SiteDefinition<PaymentState> = {
  start: () => ({ payments: [] }),
  respond({ path, form, isPost }, state) {
    if (isPost && path === '/pay') {
      const field = (name: string) => form.get(name) ?? ''
      state.payments.push({ number: field('number'), expiry: field('expiry'), code: field('code') })
      return { html: '<!doctype html><title>Paid</title><p role="status">Paid. Receipt 5512.</p>' }
    }
    if (path === '/card')
      return {
        html: '<!doctype html><title>Card</title><form method="post" action="/pay"><label>Card number <input name="number"></label><label>Expiry <input name="expiry"></label><label>Security code <input name="code"></label><button>Pay now</button></form>',
      }
    return {
      html: page('Payment', '<h1>Payment</h1><p>Total: $42.00</p><iframe src="/card" title="Card" width="400" height="260"></iframe>'),
    }
  },
}
