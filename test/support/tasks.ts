import { readFileSync } from 'node:fs'
import type { Session } from '../../src/browser.ts'
import type { CommandData } from '../../src/contract/results.ts'
import { renderSnapshot } from '../../src/render/text/render.ts'

/** A goal as a user would state it, and the checks that it was reached. */
export interface Task {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly goal: (url: string) => string
  /** typed by the agent, and not to be found anywhere afterwards */
  readonly secret?: string
  readonly holds: (seen: { readonly text: string; readonly page: string }) => readonly (readonly [says: string, held: boolean])[]
}

/** The whole text of the page, for checks that are independent of the agent. */
export async function pageText({ run }: Session): Promise<string> {
  const result = await run({ name: 'snapshot', interactiveOnly: false, viewport: 'all' })
  return result.ok
    ? renderSnapshot(result.data as CommandData['snapshot'], { maxCharsTotal: 100_000, maxNodes: 2_000 }).text
    : result.error.message
}

const shop = readFileSync(new URL('../../examples/shop/index.html', import.meta.url), 'utf8')
const form = (body: string) => `<!doctype html><meta charset=utf-8>${body}`

export const tasks: readonly Task[] = [
  {
    name: 'buys the cheapest board of a shop',
    files: { '': shop },
    goal: url => `At ${url} is a shop. Put one chopping board, the cheapest there is, into the cart. Then tell me what the cart comes to.`,
    holds: ({ text, page }) => [
      ['one thing is in the cart', /1 × /.test(page)],
      ['the answer names the sum in the cart', sums(page).some(sum => text.includes(sum))],
    ],
  },
  {
    name: 'signs in and reads what only a member sees',
    files: {
      '': form(`<title>Library</title><h1>Library</h1><form id=f action="account.html"><label>Card <input name=card></label> <label>Password <input type=password name=password></label> <button>Sign in</button> <p role=alert id=said></p></form>
        <script>f.onsubmit = event => { if (f.card.value === 'L-2041' && f.password.value === 'correct horse 7') return sessionStorage.setItem('in', 1), f.password.remove(); event.preventDefault(); said.textContent = 'Card or password is wrong.' }</script>`),
      'account.html': form(`<title>Your loans</title><h1 id=h>Please sign in</h1><ul id=l></ul>
        <script>if (sessionStorage.getItem('in')) { h.textContent = 'Your loans'; l.innerHTML = '<li>Moby Dick, due 3 December</li><li>Emma, due 19 November</li>' }</script>`),
    },
    goal: url => `Sign in at ${url} with card L-2041 and password "correct horse 7". Which of my loans is due first, and when?`,
    secret: 'correct horse 7',
    holds: ({ text, page }) => [
      ['the loans are shown', page.includes('Emma, due 19 November')],
      ['the answer names the first loan and its day', /Emma/.test(text) && /19 November|November 19/.test(text)],
    ],
  },
  {
    name: 'books a table over two pages',
    files: {
      '': form(`<title>A table</title><h1>Book a table</h1><form id=f><label>Guests <select name=guests><option>1<option>2<option>3<option>4</select></label> <label>Day <input type=date name=day></label>
        <fieldset><legend>Where</legend><label><input type=radio name=where value=inside checked> Inside</label> <label><input type=radio name=where value=garden> Garden</label></fieldset> <button>Go on</button></form>
        <script>f.onsubmit = event => { event.preventDefault(); location.href = 'confirm.html?' + new URLSearchParams(new FormData(f)) }</script>`),
      'confirm.html':
        form(`<title>Confirm</title><h1>Is this right?</h1><p id=what></p><button id=yes>Book it</button><p role=status id=said></p>
        <script>const q = new URLSearchParams(location.search); what.textContent = q.get('guests') + ' guests, ' + q.get('day') + ', ' + q.get('where'); yes.onclick = () => setTimeout(() => { said.textContent = 'Booked: T-' + (q.get('guests') === '3' && q.get('day') === '2026-12-24' && q.get('where') === 'garden' ? '8815' : '0000'); yes.remove() }, 300)</script>`),
    },
    goal: url => `Book a table for three in the garden on Christmas Eve 2026 at ${url} and tell me the number of the booking.`,
    holds: ({ text, page }) => [
      ['the right table is booked', page.includes('T-8815')],
      ['the answer gives the number', text.includes('8815')],
    ],
  },
]

const sums = (page: string): readonly string[] => [...page.matchAll(/€(\d+\.\d\d)/g)].map(([, sum]) => sum ?? '')
