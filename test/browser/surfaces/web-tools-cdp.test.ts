import { expect, test } from 'vitest'
import { openSession } from '../../../src/browser.ts'
import { agentTools, browserTool, webTools } from '../../../src/tools.ts'
import { openSite } from '../../support/site.ts'

const app = `<!doctype html><title>Tasks</title><form id=f><label>New task <input id=t></label><button>Add</button></form><ul id=l></ul>
<script>f.onsubmit = e => { e.preventDefault(); const i = document.createElement('li'); i.textContent = t.value; const b = document.createElement('button')
  b.textContent = 'Done'; b.onclick = () => i.remove(); i.append(b); l.append(i); t.value = '' }</script><a href=next.html>Next</a><button onclick="alert('Hello')">Greet</button>`
const site = await openSite()
const { url: home } = site.add({ '': app, 'next.html': '<title>Next</title><h1>Next</h1><a href="./">Home</a>' })

test('web tools act by trusted input and report the effect (S2-19, S2-21, S2-29, S4-22)', async () => {
  await using session = await openSession()
  const { execute } = webTools(session.run)
  const call = async (name: string, args: object = {}) => (await execute(name, args)).text
  await call('web_open', { url: home })
  const seen = await call('web_snapshot')
  const refOf = (name: string) => new RegExp(`"${name}".*?\\[ref=(\\w+)\\]`).exec(seen)?.[1]
  const filled = await call('web_fill', { ref: refOf('New task'), value: 'Tea' })
  expect(filled).toContain('effect: value "Tea"')
  expect(filled).not.toContain('made by a script')
  const added = await call('web_press_key', { key: 'Enter' })
  expect(added).toMatch(/\+ .*Done/)
  const gone = await call('web_click', { ref: /button "Done".*?\[ref=(\w+)\]/.exec(added)?.[1] })
  expect(gone).toMatch(/^ok: click/)
  expect(gone).toMatch(/^gone: .*Done/m)
  // on a slow machine the navigation may still be pending when the answer comes
  const left = await call('web_click', { ref: refOf('Next') })
  expect(left.length).toBeLessThan(500)
  const there = [left, await call('web_wait', { url: 'next.html' }), await call('web_wait', { load: 'load' })].join('\n')
  expect(there).toContain('title="Next"')
  expect(there).toContain('new page: refs of the old one are gone')
})

test('a reload is reported as a new page, and a client-side view change is not (S2-29)', async () => {
  const { url } = site.add({
    '': `<title>Same</title><button onclick="location.reload()">Again</button>
      <button onclick="history.pushState(0, '', 'view'); document.body.innerHTML = '<button>One</button><button>Two</button>'">View</button>`,
  })
  await using session = await openSession()
  const { execute } = webTools(session.run)
  const call = async (name: string, args: object = {}) => (await execute(name, args)).text
  const refOf = async (name: string) =>
    new RegExp(`"${name}".*?\\[ref=(\\w+)\\]`).exec(await call('web_snapshot', { max_chars: 5_000 }))?.[1]
  await call('web_open', { url })
  // on a slow machine the old document may live a little longer; waiting for load then reports the new page
  const again = [await call('web_click', { ref: await refOf('Again') }), await call('web_wait', { load: 'load' })].join('\n')
  expect(again).toContain('new page: refs of the old one are gone')
  const view = await call('web_click', { ref: await refOf('View') })
  expect(view).toContain('+ button "One"')
  expect(view).not.toContain('new page')
})

test('a dialog is reported with the action that opened it, and answered (TRUST B2)', async () => {
  await using session = await openSession()
  const { execute } = webTools(session.run)
  const call = async (name: string, args: object = {}) => (await execute(name, args)).text
  await call('web_open', { url: home })
  const ref = /button "Greet".*?\[ref=(\w+)\]/.exec(await call('web_snapshot'))?.[1]
  const clicked = await call('web_click', { ref })
  expect(clicked).toContain('Hello')
  expect(await call('web_dialog', { accept: true })).toMatch(/^ok: dialog/)
  expect(await call('web_snapshot', { max_chars: 5_000 })).toContain('Greet')
})

test('the browser tool and the agent tools share refs on the same page (C1, C13)', async () => {
  await using session = await openSession()
  const tool = browserTool({
    start: async () => ({ ok: true, data: { run: session.run, description: 'temporary', close: async () => {} } }),
  })
  const agent = agentTools(session.run)
  await agent.execute('open-url', { url: home })
  const flat = (await tool.execute('browser', { action: 'snapshot' })).text
  const number = /\[(\d+)\] textbox "New task"/.exec(flat)?.[1]
  expect((await tool.execute('browser', { action: 'act', request: { kind: 'fill', target_id: number, text: 'Cups' } })).text).toContain(
    'value "Cups"',
  )
  const added = await agent.execute('browser-act', { action: 'press', key: 'Enter' })
  expect(added.ok).toBe(true)
  expect((await agent.execute('browser-extract', { query: 'cups' })).data?.text).toContain('Cups')
})

test('web_open shows the page, and web_fill sets several fields and sends the form in one call (S2-21)', async () => {
  const { url } = site.add({
    '': `<title>Sign up</title><nav><a href=#>Home</a></nav><main><h1>Join</h1><form action=done.html>
      <label>Name <input name=name></label><label>Plan <select name=plan><option>Free<option>Pro</select></label>
      <label><input type=checkbox name=terms> I agree</label><button type=button>Help</button><button>Join now</button></form></main>`,
    'done.html': '<title>Done</title><h1>Welcome</h1><a href="./">Back</a>',
  })
  await using session = await openSession()
  const { execute } = webTools(session.run)
  const opened = await execute('web_open', { url })
  const refOf = (name: string) => new RegExp(`"${name}".*?\\[ref=(\\w+)\\]`).exec(opened.text)?.[1]
  expect(opened.text).toContain('heading "Join"')
  const fields = [
    { ref: refOf('Name'), value: 'Ann' },
    { ref: refOf('Plan'), value: 'Pro' },
    { ref: refOf('I agree'), value: 'true' },
  ]
  const half = await execute('web_fill', { fields: [fields[0], { ref: refOf('Plan'), value: 'Gold' }, fields[2]] })
  expect(half.error?.code).toBe('option_not_found')
  expect(half.text).toContain(`1 of 3 fields were set before: ${refOf('Name')}.`)
  const sent = await execute('web_fill', { fields, submit: true })
  expect(sent.text).toMatch(/^ok: 3 fields set, form sent by e\d+\n/)
  const there = [sent.text, (await execute('web_wait', { url: 'name=Ann&plan=Pro&terms=on' })).text].join('\n')
  expect(there).toContain('heading "Welcome"')
  expect(there).toMatch(/link "Back".*\[ref=\w+\]/)
})

test('a form that the browser does not send because a field is invalid is not reported as sent (S2-03)', async () => {
  const { url } = site.add({
    '': `<title>Log in</title><form action=done.html><label>Email <input type=email name=email></label>
      <label>Password <input type=password name=p></label><button>Log in</button></form>`,
    'done.html': '<title>Done</title>',
  })
  await using session = await openSession()
  const { execute } = webTools(session.run)
  const opened = await execute('web_open', { url })
  const refOf = (name: string) => new RegExp(`"${name}".*?\\[ref=(\\w+)\\]`).exec(opened.text)?.[1] ?? ''
  const email = refOf('Email')
  const fields = [
    { ref: email, value: 'not-an-email' },
    { ref: refOf('Password'), value: 'x' },
  ]
  const filled = await execute('web_fill', { fields, submit: true })
  expect(filled.error?.code).toBe('not_committed')
  expect(filled.text).toContain(
    `the form was not sent: ${email} is invalid. 2 of 2 fields were set before: ${email}, ${refOf('Password')}.`,
  )
  expect(filled.text).toMatch(/^error: ".*@.*"$/m)
  const notSent = new RegExp(`^effect: form not sent: ${email} is invalid: ".*@.*"`, 'm')
  expect((await execute('web_click', { ref: refOf('Log in') })).text).toMatch(notSent)
  expect((await execute('web_press_key', { key: 'Enter' })).text).toMatch(notSent)
  await execute('web_fill', { ref: email, value: 'ann@a.test' })
  expect((await execute('web_click', { ref: refOf('Log in') })).text).not.toContain('not sent')
  await execute('web_wait', { url: 'done.html' })
})
