import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBrowserAgent, resumeBrowserAgent, rulesModel } from '../../../src/agent.ts'
import { fileRunStore } from '../../../src/evidence.ts'
import { openSite, type SiteDefinition } from '../../agent/sites/site.ts'
import { approveAll } from '../../support/approve-all.ts'
import { openTestSession } from '../../support/test-session.ts'

const form = (note = '') =>
  `${note}<form method=post action=/login><label>User <input name=user required></label><label>Password <input type=password name=pw required></label><button>Log in</button></form>`
const registration =
  "<form method=post action=/registered><label>Full name <input name=name></label><label>Email <input name=email></label><label><input type=checkbox name=terms> I accept the terms</label><button>Continue</button></form><button onclick=\"fetch('/count',{method:'post'}).then(r=>r.text())\">Count</button><button onclick=\"confirm('Really?')\">Remove</button>"
const list = ['Tea pot', 'Green tea', 'Black tea']
  .map(name => `<li><a href="/p/${name}">${name}</a> <button type=button onclick="said.textContent='Added ${name}'">Add</button></li>`)
  .join('')

const shop: SiteDefinition<string[]> = {
  start: () => [],
  respond({ path, form: fields, isPost }, visits) {
    visits.push(`${isPost ? 'post' : 'get'} ${path} ${path === '/registered' ? fields : ''}`.trim())
    const html = (title: string, body: string) => ({ html: `<!doctype html><title>${title}</title><h1>${title}</h1>${body}` })
    if (path === '/login' && isPost)
      return fields.get('pw') === 'right' ? html('Welcome', '<p>Hello</p>') : html('Log in', form('<p>Wrong user name or password.</p>'))
    if (path === '/login') return html('Log in', form())
    if (path === '/') return html('Shop', `<ul>${list}</ul><p id=said role=alert></p><a href=/login>Account</a>${form()}`)
    if (path === '/registration') return html('Registration', registration)
    if (path === '/registered') {
      const isShort = (fields.get('name') ?? '').length < 3
      return isShort ? html('Registration', `<p role=alert>The name is invalid.</p>${registration}`) : html('Registered', '<p>Thank you')
    }
    if (path === '/hours') return html('Shop', '<a href=/contact>Contact</a><h2>Opening hours</h2><p>Mon-Fri 9-17')
    if (path === '/start') return html('Start', '<label>Topic <input></label><a href=/registration>Registration</a>')
    if (path === '/names') return html('Names', '<label>First name <input></label><label>Last name <input></label>')
    return html('Thing', `<p>${path}</p>`)
  },
}

async function perform(goal: string, path?: string) {
  await using server = await openSite(shop)
  await using page = await openTestSession()
  const agent = await createBrowserAgent({
    model: rulesModel(),
    session: page.session,
    goal,
    ...(path !== undefined && { page: new URL(path, server.url).href }),
    evidence: mkdtempSync(join(tmpdir(), 'pagehand-runs-')),
    approvals: approveAll,
  })
  const { reason, error, summary } = await agent.run()
  return { reason: error?.code ?? reason, summary, visits: server.state.filter(each => !each.includes('favicon')) }
}

test.each([
  ['click tea', /several elements fit "tea": link "Tea pot", link "Green tea", link "Black tea"\./],
  ['add tea to the cart', /several elements fit "tea": button "Add" in "Tea pot Add", button "Add" in "Green tea Add"/],
  ['find tea', /several elements fit "tea": link "Tea pot", link "Green tea", link "Black tea"\./],
  ['click Add', /several elements fit "Add": button "Add" in "Tea pot Add", button "Add" in "Green tea Add"/],
])('the rules do not choose between different elements that fit equally, but name them: %s (S3-40)', async (goal, problem) => {
  const { reason, summary, visits } = await perform(goal, '/')
  expect(summary).toMatch(problem)
  expect([reason, visits]).toEqual(['not_done', ['get /']])
})

test('the rules do not choose between fields that fit equally (S3-40)', async () => {
  const { reason, summary } = await perform('type Ada into name', '/names')
  expect(reason).toBe('not_done')
  expect(summary).toContain('several elements fit the field "name": textbox "First name", textbox "Last name".')
})

test.each([
  ['click Green tea', 'get /p/Green tea'],
  ['click green', 'get /p/Green tea'],
  ['click Account', 'get /login'],
])('an exact name, or words that only one element has, are enough: %s (S3-40)', async (goal, visit) => {
  const { reason, visits } = await perform(goal, '/')
  expect([reason, visits.at(-1)]).toEqual(['closed', visit])
})

test('a message that confirms an action does not count as a refusal (S3-40)', async () => {
  const { reason, summary } = await perform('click Add in the row Green tea', '/')
  expect(reason).toBe('closed')
  expect(summary).toContain('Added Green tea')
})

test.each([
  ['click Log in', /^Not done: the page does not accept "User", "Password"\./, ['get /login']],
  [
    'type bob into User, type moonlight into Password, click Log in',
    /^Not done: the page asks for .*"Password" again and says "Wrong user name or password\."\./,
    ['get /login', 'post /login'],
  ],
])('what the page refuses is not done, and the summary says what the page says: %s (S3-40)', async (goal, problem, expected) => {
  const { reason, summary, visits } = await perform(goal, '/login')
  expect(summary).toMatch(problem)
  expect([reason, visits]).toEqual(['not_done', expected])
})

test.each([
  ['fill in Full name with A, click Continue', '1. fill in Full name; 2. clicked button "Continue", which the page did not accept.'],
  ['fill in Full name with A, submit', '1. set Full name, and sent the form, which the page did not accept.'],
  ['click Remove', '1. clicked button "Remove", which the page asks about.'],
])('an action that the page refuses is not listed as not carried out: %s (S3-40)', async (goal, did) => {
  const { reason, summary } = await perform(`${goal}, then click Home`, '/registration')
  expect(reason).toBe('not_done')
  expect(summary).toContain(`Carried out: ${did} Not carried out: "click Home".`)
})

test.each([
  ['Find the opening hours', 'closed', 'Mon-Fri 9-17', ['get /hours']],
  ['Find the contact', 'closed', 'clicked link "Contact"', ['get /hours', 'get /contact']],
  ['Find the price list', 'not_done', '"the price list" was not found on the page.', ['get /hours']],
])('to find something takes a control, or else the text of the page: %s (S3-40)', async (goal, reason, words, visits) => {
  expect(await perform(goal, '/hours')).toMatchObject({ reason, visits, summary: expect.stringContaining(words) })
})

test('a log-in that the server accepts is done (S3-40)', async () => {
  const { reason } = await perform('type bob into User, type right into Password, click Log in', '/login')
  expect(reason).toBe('closed')
})

/** Parks a run at its first question, and goes on in another browser, where a person approves. */
async function performInTwoBrowsers(goal: string, path: string) {
  await using server = await openSite(shop)
  const store = fileRunStore({ folder: mkdtempSync(join(tmpdir(), 'pagehand-runs-')) })
  const options = { model: rulesModel(), evidence: store }
  const first = await openTestSession()
  const parked = await (await createBrowserAgent({ ...options, session: first.session, goal, page: new URL(path, server.url).href })).run()
  await first[Symbol.asyncDispose]()
  expect(parked.reason).toBe('needs_approval')
  await using second = await openTestSession()
  const approvals = { approve: async () => ({ approved: true, scope: 'once' }) as const }
  const { reason, summary } = await (await resumeBrowserAgent(parked.run, { ...options, session: second.session, approvals })).run()
  return { reason, summary, visits: server.state.filter(each => !each.includes('favicon')) }
}

test.each([
  ['the page that the run began with', '/registration', ''],
  ['a page that a click opened', '/start', 'fill in Topic with "tea", click Registration, '],
])('all that was set on the page is set again when the run goes on in another browser: %s (S3-05 S3-48)', async (_, path, before) => {
  const { reason, summary, visits } = await performInTwoBrowsers(
    `${before}fill in Full name with "Alice Doe", fill in Email with "a@b.ie", check I accept the terms, then click Continue`,
    path,
  )
  expect(visits.at(-1)).toBe('post /registered name=Alice+Doe&email=a%40b.ie&terms=on')
  expect({ reason, summary }).toMatchObject({ reason: 'closed', summary: expect.stringContaining('Registered') })
})

test('an action on the page that was carried out before an interruption is not repeated with the fields (S3-05 S3-48)', async () => {
  const { summary, visits } = await performInTwoBrowsers(
    'fill in Full name with "Alice Doe", click Count, fill in Email with "a@b.ie", check I accept the terms, then click Continue',
    '/registration',
  )
  expect(visits.filter(each => each.includes('/count'))).toEqual(['post /count'])
  expect(visits.at(-1)).toBe('post /registered name=Alice+Doe&email=a%40b.ie&terms=on')
  expect(summary).toContain('2. clicked button "Count"')
})

test('what was typed in the call that waited for an approval is typed again when the run goes on in another browser (S3-05 S3-48)', async () => {
  const { reason, summary } = await performInTwoBrowsers('type bob into User, type right into Password, click Log in', '/login')
  expect({ reason, summary }).toMatchObject({ reason: 'closed', summary: expect.stringContaining('Welcome') })
})

test('without a page, the rules say how to name one; a goal that opens a page needs none (S3-40)', async () => {
  const { reason, summary } = await perform('click x')
  expect(reason).toBe('not_done')
  expect(summary).toMatch(/^Not done: no page is open\. Name the first page with --url/)
  expect(summary).not.toContain('about:blank')
  await using server = await openSite(shop)
  expect(await perform(`open ${server.url}login, then click Log in`)).toMatchObject({
    summary: expect.stringContaining('the page does not accept'),
  })
})
