import { expect, test } from 'vitest'
import { createBrowserAgent } from '../../../src/agent.ts'
import { agentPrompt, agentToolList, agentTools, createPolicy, inputSchema } from '../../../src/tools.ts'
import { refIn } from '../../support/scripted-model.ts'
import { openTestSession } from '../../support/test-session.ts'

test('act operates exactly the element with the ref, among equal ones and in frames (X3-1)', async () => {
  const button = (name: string) => `<button type=button onclick="parent.document.title+='${name};'">Buy</button>`
  const frame = button('framed').replaceAll('"', '&quot;')
  await using page = await openTestSession({
    html: `<title></title><a href="#one">More</a><a href="#two">More</a>${['first', 'second', 'third'].map(button).join('')}<iframe srcdoc="${frame}"></iframe>`,
  })
  const tools = agentTools(page.session.run)
  const { data } = await tools.execute('browser-snapshot')
  const refs = [...(data?.text ?? '').matchAll(/button "Buy"[^\n]*\[ref=((?:f\d+)?e\d+)\]/g)].map(([, ref]) => ref)
  expect(refs).toHaveLength(4)
  for (const at of [2, 3, 1]) expect(await tools.execute('browser-act', { action: 'click', ref: refs[at] })).toMatchObject({ ok: true })
  expect((await page.do('snapshot')).meta.title).toBe('third;framed;second;')
  const links = [...(data?.text ?? '').matchAll(/link "More"[^\n]*\[ref=(e\d+)\]/g)].map(([, ref]) => ref)
  await tools.execute('browser-act', { action: 'click', ref: links[1] })
  expect((await page.do('snapshot')).meta.url).toMatch(/#two$/)
})

test('typed text reaches a field whose value is tracked as React does it (X3-3)', async () => {
  await using page = await openTestSession({
    html: `<title></title><input aria-label="Name"><script>
      const field = document.querySelector('input'), native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
      let tracked = ''
      // the setter of the instance records what the program writes; an input event counts only if the value differs from the record
      Object.defineProperty(field, 'value', { get() { return native.get.call(this) }, set(value) { tracked = value; native.set.call(this, value) } })
      field.addEventListener('input', () => { if (field.value !== tracked) { tracked = field.value; document.title = 'state: ' + tracked } })
    </script>`,
  })
  const tools = agentTools(page.session.run)
  const { data } = await tools.execute('browser-snapshot')
  await tools.execute('browser-act', { action: 'fill', ref: refIn(data?.text ?? '', 'textbox "Name"'), text: 'Ann' })
  expect((await page.do('snapshot')).meta.title).toBe('state: Ann')
})

test('the page is read as a tree of roles and names, which is what the agent acts on (S3-50 S3-16)', async () => {
  await using page = await openTestSession({
    html: '<title>Shop</title><nav aria-label="Main"><a href="/">Home</a></nav><main><h1>Tea</h1><div role=checkbox aria-checked=true tabindex=0>Gift</div></main>',
  })
  const { data } = await agentTools(page.session.run).execute('browser-snapshot', { interactiveOnly: false })
  expect(data?.text).toMatch(
    /- navigation "Main".*:\n {2}- link "Home".*\n- main.*:\n {2}- heading "Tea" \[level=1\].*\n {2}- checkbox "Gift" \[checked\]/,
  )
})

test('schema, prompt and tools agree, and a name that does not exist is an error, not skipped (S3-13 S3-14 X3-6)', async () => {
  const names = agentToolList.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const named = [...agentPrompt().matchAll(/\b(?:browser-[a-z]+|open-url)\b/g)].map(([name]) => name)
  expect(named.filter(name => !names.includes(name))).toEqual([])
  const tools = agentTools(async () => ({ ok: true, data: {} }))
  for (const tool of agentToolList) {
    const { properties = {}, additionalProperties } = inputSchema(tool) as { properties?: object; additionalProperties?: boolean }
    expect([tool.name, additionalProperties]).toEqual([tool.name, false])
    // a field that the schema does not have is refused, with the fields that it has
    const refused = await tools.execute(tool.name, { fullPage: true })
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input', message: expect.stringContaining('fullPage') } })
    expect(Object.keys(properties)).not.toContain('fullPage')
  }
  expect(await tools.execute('browser-navigate', {})).toMatchObject({
    error: { code: 'unsupported_action', message: expect.stringContaining('open-url') },
  })
  expect(() => createPolicy({ deny: ['browser-navigate'] })).toThrow('browser-navigate')
  await expect(createBrowserAgent({ goal: 'x' })).rejects.toThrow('needs a session or a run')
})

test('the name of a product that a hidden field repeats stays readable after the form was used (A4)', async () => {
  const product =
    '<li><h2>Green teapot</h2><form method=get><input type=hidden name=product value="Green teapot"><button>Add</button></form></li>'
  await using page = await openTestSession({ html: `<title>Shop</title><ul>${product}</ul>` })
  await page.do('inspect', { ref: await page.ref('button "Add"') })
  await page.do('click', { ref: await page.ref('button "Add"') })
  const { data } = await agentTools(page.session.run).execute('browser-snapshot', { interactiveOnly: false })
  expect(data?.text).toContain('heading "Green teapot"')
})
