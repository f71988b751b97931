import { expect, test } from 'vitest'
import { scriptDriver } from '../../../src/script.ts'
import { webTools } from '../../../src/tools.ts'
import { openPage } from '../../support/open-page.ts'

const list = `<h1>Tasks</h1><form id=f><label>New task <input id=t></label><button>Add</button></form><ul id=l></ul><p id=n>0 open</p>
<label><input type=checkbox id=c> Urgent</label><select id=s aria-label=Sort><option value=a>By age<option value=n>By name</select>
<script>f.onsubmit = e => { e.preventDefault(); if (!t.value) return
  const i = document.createElement('li'); i.innerHTML = '<span></span> <button>Done</button>'; i.firstChild.textContent = t.value; l.append(i)
  i.querySelector('button').onclick = () => { i.remove(); count() }; t.value = ''; count() }
function count() { n.textContent = l.children.length + ' open' }</script>`

async function tools(html: string) {
  const page = await openPage({ html: `<!doctype html><title>test</title>${html}` })
  // the driver for any WebView, which can only evaluate strings
  const { execute } = webTools(scriptDriver({ evaluate: expression => page.evaluate<string>(expression) }))
  const call = async (name: string, args: object = {}) => (await execute(name, args)).text
  const refOf = async (line: RegExp) =>
    /\[ref=(\w+)\]/.exec(line.exec(await call('web_snapshot', { max_chars: 5_000 + ++asked }))?.[0] ?? '')?.[1] ?? ''
  let asked = 0
  return { page, call, execute, refOf, [Symbol.asyncDispose]: () => page.close() }
}

test('fill and click report the changes with refs that can be used at once (S2-03, X2-10)', async () => {
  await using app = await tools(list)
  const seen = await app.call('web_snapshot')
  const field = /textbox "New task".*?\[ref=(\w+)\]/.exec(seen)?.[1]
  expect(await app.call('web_fill', { ref: field, value: 'Buy tea' })).toContain('effect: value "Buy tea"')
  const sent = await app.call('web_click', { ref: /button "Add" \[ref=(\w+)\]/.exec(seen)?.[1] })
  expect(sent).toMatch(/^ok: click/)
  expect(sent).toMatch(/\+ .*Buy tea/)
  expect(sent.length).toBeLessThan(900)
  const done = /button "Done".*?\[ref=(\w+)\]/.exec(sent)?.[1]
  expect(done).toMatch(/^e\d+$/)
  const removed = await app.call('web_click', { ref: done })
  expect(removed).toMatch(/^gone: .*Done/m)
  expect(await app.page.evaluate('l.children.length')).toBe(0)
})

test('web_fill with an empty value clears the field, and web_type inserts at the caret (S2-21, S2-22)', async () => {
  await using app = await tools('<label>Name <input id=i value=old></label>')
  const ref = await app.refOf(/textbox.*/)
  await app.call('web_fill', { ref, value: '' })
  expect(await app.page.evaluate('i.value')).toBe('')
  await app.call('web_type', { ref, text: ' a b' })
  expect(await app.page.evaluate('i.value')).toBe(' a b')
})

test('web_select, web_check and web_uncheck report the new state (S2-23, S2-24, S2-25)', async () => {
  await using app = await tools(list)
  const seen = await app.call('web_snapshot')
  const select = /combobox "Sort".*?\[ref=(\w+)\]/.exec(seen)?.[1]
  const check = /checkbox "Urgent".*?\[ref=(\w+)\]/.exec(seen)?.[1]
  expect(await app.call('web_select', { ref: select, values: ['By name'] })).toContain('selected "By name"')
  expect(await app.call('web_check', { ref: check })).toMatch(/effect: checked/)
  expect(await app.call('web_uncheck', { ref: check })).toMatch(/effect: unchecked/)
  expect(await app.call('web_select', { ref: select, values: ['By luck'] })).toMatch(/^option_not_found: /)
  expect(await app.page.evaluate('s.value')).toBe('n')
})

test('web_dblclick reaches the page as a double click (S2-20, X2-3)', async () => {
  await using app = await tools('<button ondblclick="this.textContent += \' twice\'">Press</button>')
  expect(await app.call('web_dblclick', { ref: await app.refOf(/button.*/) })).toMatch(/"Press" → "Press twice"/)
})

test('a click on a covered element names the covering one and the next step (S2-55)', async () => {
  await using app = await tools(
    '<button>Under</button><div style="position:fixed;inset:0;background:#fff" role=dialog aria-label=Cookies>Cookies</div>',
  )
  expect(await app.call('web_click', { ref: await app.refOf(/button.*/) })).toMatch(
    /^element_blocked: .* Dismiss what covers it, take a new snapshot, then retry\.\n<page .*\ncovered by: "dialog Cookies"\n/,
  )
})

test('a button without effect is reported as no_progress the third time (TRUST E3)', async () => {
  await using app = await tools('<button>Nothing</button>')
  const ref = await app.refOf(/button.*/)
  const answers = [await app.call('web_click', { ref }), await app.call('web_click', { ref }), await app.call('web_click', { ref })]
  expect(answers.map(answer => answer.split(':')[0])).toEqual(['ok', 'ok', 'no_progress'])
})

test('web_wait waits for late content, and a timeout reports what was there instead (S2-31..S2-35, X2-5)', async () => {
  await using app = await tools('<p id=p>Loading</p><button onclick="setTimeout(() => p.textContent = \'Ready now\', 50)">Load</button>')
  await app.call('web_click', { ref: await app.refOf(/button.*/) })
  expect(await app.call('web_wait', { text: 'Ready now' })).toMatch(/^ok: wait, met after \d+ ms/)
  expect(await app.call('web_wait', { text: 'Never', timeout_ms: 1 })).toMatch(/^timeout: /)
  expect(await app.call('web_wait', { selector: 'p[' })).toMatch(/^invalid_selector: /)
})

test('web_query answers every documented kind (S2-36, S2-37, S2-38)', async () => {
  await using app = await tools('<input id=i aria-label=Name value=Ann checked data-x=1>')
  const ref = await app.refOf(/textbox.*/)
  const answers: { readonly [kind: string]: RegExp } = {
    text: /text of e\d+: "/,
    html: /html of e\d+: "/,
    outerHTML: /outerHTML of e\d+: "<input/,
    value: /value of e\d+: "Ann"/,
    attrs: /attrs of e\d+: \{.*"data-x":"1"/,
    computed_styles: /computed_styles of e\d+: \{.*"display"/,
    isvisible: /isvisible of e\d+: true/,
    isenabled: /isenabled of e\d+: true/,
    ischecked: /ischecked of e\d+: (true|false)|not_checkable|unsupported_query/,
  }
  for (const [kind, answer] of Object.entries(answers)) expect(await app.call('web_query', { ref, kind }), kind).toMatch(answer)
})

test('a click on an option of a closed select explains how to choose it', async () => {
  await using app = await tools('<label>Country <select><option>France<option>Germany</select></label>')
  const seen = await app.call('web_snapshot')
  const answer = await app.call('web_click', { ref: /option "Germany".*?\[ref=(\w+)\]/.exec(seen)?.[1] })
  expect(answer).toMatch(/^not_visible: e\d+ is not drawn: use select on e\d+\./)
  const chosen = await app.call('web_select', { ref: /option "Germany".*?\[ref=(\w+)\]/.exec(seen)?.[1], values: ['Germany'] })
  const list = /combobox "Country".*?\[ref=(\w+)\]/.exec(seen)?.[1]
  expect(chosen).toMatch(new RegExp(`^not_a_select: e\\d+ is an option: select it in ${list}\\.`))
})

test('in a list that is rendered anew, each new ref is reported with its row', async () => {
  await using app = await tools(
    `<button onclick="files.unshift('temp.txt'); draw()">Upload</button><ul id=l></ul><table id=t></table>
    <script>const files = ['report.pdf', 'salary.xlsx']
    const draw = () => {
      l.innerHTML = files.map(file => '<li>' + file + ' <button>Delete</button></li>').join('')
      t.innerHTML = files.map((file, n) => '<tr><td>' + n + '</td><td>' + file + '</td><td><button>View</button></td></tr>').join('')
    }
    draw()</script>`,
  )
  const seen = await app.call('web_snapshot')
  const answer = await app.call('web_click', { ref: /button "Upload".*?\[ref=(\w+)\]/.exec(seen)?.[1] })
  // a button stands below its row if the row is new as well, else it names the row
  for (const file of ['temp.txt', 'report.pdf', 'salary.xlsx']) {
    expect(answer).toMatch(
      new RegExp(`\\+ listitem: "${file}"\\n\\+   button "Delete" \\[ref=e\\d+\\]|\\+ button "Delete" \\[ref=e\\d+\\] in "${file}"`),
    )
    expect(answer).toMatch(
      new RegExp(`\\+ row: "\\d \\| ${file}"\\n\\+   button "View" \\[ref=e\\d+\\]|\\+ button "View" \\[ref=e\\d+\\] in "\\d \\| ${file}"`),
    )
  }
})

test('secrets appear in no answer: snapshot, query, effect or diff (TRUST A4)', async () => {
  await using app = await tools(
    '<label>Password <input type=password id=p value=hunter2-old></label><button onclick="p.type=\'text\'">Show</button>',
  )
  const seen = await app.call('web_snapshot')
  const field = /textbox "Password".*?\[ref=(\w+)\]/.exec(seen)?.[1]
  const all = [
    seen,
    await app.call('web_fill', { ref: field, value: 'hunter2-new' }),
    await app.call('web_query', { ref: field, kind: 'value' }),
    await app.call('web_query', { ref: field, kind: 'outerHTML' }),
    await app.call('web_query', { ref: field, kind: 'attrs' }),
    await app.call('web_click', { ref: /button "Show".*?\[ref=(\w+)\]/.exec(seen)?.[1] }),
    await app.call('web_snapshot', { interactive_only: false }),
  ]
  for (const answer of all) expect(answer).not.toContain('hunter2')
})

test('a click on a form that is invalid reports the field, also if it is hidden or the page shows the error itself (S2-03)', async () => {
  await using app = await tools(`<form><label>A <input required></label><button>Send A</button></form>
    <form><select required hidden><option value=""></select><button>Send B</button></form>
    <form><label>C <textarea required oninvalid="event.preventDefault(); this.setCustomValidity('Say more')"></textarea></label><button>Send C</button></form>
    <form onchange="this.checkValidity()"><label>D <input required></label><label><input type=checkbox> Check D</label></form>`)
  const click = async (name: string) => app.call('web_click', { ref: await app.refOf(new RegExp(`"${name}".*`)) })
  const a = await app.refOf(/textbox "A".*/)
  expect(await click('Send A')).toMatch(new RegExp(`^effect: form not sent: ${a} is invalid: ".+", focus ${a}$`, 'm'))
  expect(await click('Send B')).toMatch(/^effect: form not sent: ".+" is invalid: ".+"/m)
  expect(await click('Send C')).toContain('is invalid: "Say more"')
  // a page that only checks its fields sends nothing
  expect(await click('Check D')).not.toContain('not sent')
  const filled = await app.execute('web_fill', { fields: [{ ref: a, value: '' }], submit: true })
  expect(filled.error?.code).toBe('not_committed')
  expect(filled.text).toContain(`the form was not sent: ${a} is invalid.`)
})

test('a page that sends an invalid form itself is not said to have sent nothing, and its own events are not those of the browser', async () => {
  await using app = await tools(`<iframe name=w></iframe><script>
      form = (name, onInvalid) => document.write('<form target=w action=none><label>' + name + ' <input required oninvalid="event.preventDefault(); ' +
        onInvalid + '"></label><button>Send ' + name + '</button></form>')
      form('A', 'form.submit()'); form('B', 'fetch(location)'); form('C', 'navigator.sendBeacon(location)')
      form('D', '')</script>
    <form id=e onsubmit="event.preventDefault(); i.setCustomValidity('No'); i.focus(); i.checkValidity()"><input id=i><button>Send E</button></form>
    <form id=g><input id=h></form><button onclick="h.setCustomValidity('No'); h.focus(); h.dispatchEvent(new Event('invalid'))">Send F</button>
    <button onclick="g.dispatchEvent(new SubmitEvent('submit', { bubbles: true }))">Send G</button>`)
  const click = async (name: string) => app.call('web_click', { ref: await app.refOf(new RegExp(`"${name}".*`)) })
  for (const name of ['A', 'B', 'C', 'E', 'F', 'G']) {
    const text = await click(`Send ${name}`)
    expect(text, name).toMatch(/^ok: click/)
    expect(text, name).not.toMatch(/not sent|form sent/)
  }
  expect(await click('Send D')).toContain('form not sent')
})

test('a value that was not entered is not said to be refused by the page', async () => {
  await using app = await tools('<label>Code <input maxlength=4></label>')
  const { text, error } = await app.execute('web_fill', { ref: await app.refOf(/textbox.*/), value: '12345' })
  expect(error?.code).toBe('not_committed')
  expect(text).toContain('takes at most 4 characters')
  expect(text).not.toMatch(/page (changed|refused)/)
})

test('a secret that the page shows is redacted in its text, which is no change of the page (A4)', async () => {
  await using app = await tools('<h1>Demo: ann, hunter2-long</h1><h2>Your password</h2><label>Password <input type=password></label>')
  const ref = await app.refOf(/textbox "Password".*/)
  for (const value of ['hunter2-long', 'password']) {
    const filled = await app.call('web_fill', { ref, value })
    expect(filled.split('\n').filter(line => /^([+~]|gone:) /.test(line) && !line.includes(`[ref=${ref}]`))).toEqual([])
  }
  const after = await app.call('web_snapshot', { interactive_only: false })
  expect(after).toContain('Demo: ann, [redacted]')
  expect(after).toContain('heading "Your password"')
})
