import { expect, test } from 'vitest'
import { parseInstructions } from '../../src/agent/rules-instructions.ts'
import { meanings } from '../../src/agent/rules-match.ts'
import { rulesModel } from '../../src/agent/rules-model.ts'
import { readPage } from '../../src/agent/rules-page.ts'

type Options = Parameters<ReturnType<typeof rulesModel>['doGenerate']>[0]

const tools = ['open-url', 'browser-observe', 'browser-snapshot', 'browser-act', 'browser-wait', 'browser-extract', 'close'].map(name => ({
  type: 'function' as const,
  name,
  inputSchema: { type: 'object' as const, properties: {} },
}))

/** A prompt in which each step was answered with the given text. */
const promptOf = (
  goal: string,
  steps: readonly (readonly [text: string, tool: string, answer: string, isError?: boolean])[] = [],
): Options['prompt'] => [
  { role: 'user', content: [{ type: 'text', text: goal }] },
  ...steps.flatMap(([text, toolName, value, isError], at): Options['prompt'] => [
    {
      role: 'assistant',
      content: [
        { type: 'text', text },
        { type: 'tool-call', toolCallId: `${at}`, toolName, input: {} },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: `${at}`, toolName, output: { type: isError ? 'error-text' : 'text', value } }],
    },
  ]),
]

async function callFor(prompt: Options['prompt'], options: Partial<Options> = {}) {
  const { content } = await rulesModel().doGenerate({ prompt, tools, ...options })
  const call = content.find(each => each.type === 'tool-call')
  return { tool: call?.toolName, input: JSON.parse(call?.input ?? '{}') as Record<string, unknown>, content }
}

test.each([
  ['Search for green tea', { kind: 'search', query: 'green tea' }],
  ['Log in as ann / secret 7', { kind: 'logIn', user: 'ann', password: 'secret 7' }],
  ['sign in with ann@x.test and password "a b"', { kind: 'logIn', user: 'ann@x.test', password: 'a b' }],
  ['tick all unread', { kind: 'tick', names: 'all', among: 'unread', on: true }],
  ['untick Milk, Bread and Tea', { kind: 'tick', names: ['Milk', 'Bread', 'Tea'], on: false }],
  ['add Blue teapot and Oak tray to the cart', { kind: 'cart', items: ['Blue teapot', 'Oak tray'] }],
  ['fill Name with Ada', { kind: 'fill', fields: [{ field: 'Name', value: 'Ada' }] }],
  ['type hello into the Message field', { kind: 'fill', fields: [{ field: 'Message', value: 'hello' }] }],
  ['click "Save and go on"', { kind: 'click', name: 'Save and go on' }],
  ['click Delete in the row INV-7', { kind: 'click', name: 'Delete', near: 'INV-7' }],
  ['filter the table by status Open', { kind: 'filter', value: 'status Open' }],
  ['go to page 3', { kind: 'page', page: 3 }],
  ['go to the next page', { kind: 'page', page: 'next' }],
  ['choose date 24 December 2026', { kind: 'date', date: '2026-12-24' }],
  ['choose December 24, 2026 as Arrival', { kind: 'date', date: '2026-12-24', field: 'Arrival' }],
  ['upload /tmp/a.pdf', { kind: 'upload', file: '/tmp/a.pdf' }],
  ['open Terms in a new tab', { kind: 'newTab', name: 'Terms' }],
  ['select Germany in Country', { kind: 'choose', value: 'Germany', field: 'Country' }],
  ['press Enter', { kind: 'press', key: 'Enter' }],
  ['wait for "All done"', { kind: 'wait', text: 'All done' }],
  ['tell me the price', { kind: 'read', query: 'price' }],
  ['打开 https://a.test/', { kind: 'open', url: 'https://a.test/' }],
  ['搜索茶壶', { kind: 'search', query: '茶壶' }],
  ['用 ann / s3cret 登录', { kind: 'logIn', user: 'ann', password: 's3cret' }],
  ['把蓝色茶壶加入购物车', { kind: 'cart', items: ['蓝色茶壶'] }],
  ['结账', { kind: 'checkOut' }],
  ['勾选所有待办', { kind: 'tick', names: 'all' }],
  ['在姓名中输入王芳', { kind: 'fill', fields: [{ field: '姓名', value: '王芳' }] }],
  ['点击“提交”', { kind: 'click', name: '提交' }],
  ['第 3 页', { kind: 'page', page: 3 }],
  ['compose a sonnet', { kind: 'unknown' }],
])('%s is one instruction', (text, expected) => {
  expect(parseInstructions(text)).toMatchObject([expected])
})

test('a goal is split at sentences and verbs, never inside quotes, URLs or values', () => {
  const kinds = (goal: string) => parseInstructions(goal).map(({ kind }) => kind)
  expect(kinds('Open https://a.test/x.html?b=1;2, search for "salt, then click", and then click Buy.')).toEqual(['open', 'search', 'click'])
  expect(kinds('打开 https://a.test/，搜索茶壶，然后点击“购买”')).toEqual(['open', 'search', 'click'])
  expect(kinds('1. Open https://a.test/\n2. Name: Ada\n3. Email: ada@a.test\n4. Save')).toEqual(['open', 'fill'])
  expect(parseInstructions('fill A with 1, B with 2 and C with 3, then submit the form')).toMatchObject([
    { kind: 'fill', submit: true, fields: [{ field: 'A' }, { field: 'B' }, { field: 'C', value: '3' }] },
  ])
})

test('the page is what the answers show, with the changes of each action', () => {
  const { elements, title } = readPage([
    {
      tool: 'open-url',
      ok: true,
      code: '',
      text: 'ok: open\n<page W url="https://a.test/" title="A">\n- list:\n  - listitem: "Tea"\n    - checkbox "Done" [ref=e1]\n- textbox "Name" [ref=e2]\n</page W>',
    },
    {
      tool: 'browser-act',
      ok: true,
      code: '',
      text: 'ok: 2 fields set\n<page W url="https://a.test/" title="A">\n~ checkbox "Done" [ref=e1] now [checked]\n- textbox "Name" [ref=e2]\n+ button "Save" [ref=e3]\n</page W>',
    },
  ])
  expect(title).toBe('A')
  expect(elements.filter(({ ref }) => ref).map(({ ref, name, states }) => [ref, name, [...states]])).toEqual([
    ['e1', 'Done', ['checked']],
    ['e3', 'Save', []],
  ])
  expect(elements[0]?.item).toContain('Tea')
})

test('the same prompt gives the same answer, streamed or not, and the model is named as no AI', async () => {
  const prompt = promptOf('Search for tea')
  const model = rulesModel()
  expect(model.modelId).toBe('rules-no-ai')
  const { content } = await model.doGenerate({ prompt, tools })
  expect((await model.doGenerate({ prompt, tools })).content).toEqual(content)
  const { stream } = await model.doStream({ prompt, tools })
  const parts: unknown[] = []
  for await (const part of stream as unknown as AsyncIterable<unknown>) parts.push(part)
  expect(parts).toContainEqual(content.find(each => each.type === 'tool-call'))
  expect(parts[parts.length - 1]).toMatchObject({ type: 'finish', finishReason: { unified: 'tool-calls' } })
})

const emptyPage =
  '<page W url="https://a.test">\n[observe] url="https://a.test/" title="A" found=1 matching=0\n- link "Home" [ref=e1]\n</page W>'

test('what cannot be done is said in the summary, with what was not tried', async () => {
  const goal = 'Fill Colour with red, then click Save'
  const first = await callFor(promptOf(goal))
  expect(first.tool).toBe('browser-observe')
  const note = first.content.flatMap(each => (each.type === 'text' ? each.text : [])).join()
  const { tool, input } = await callFor(promptOf(goal, [[note, 'browser-observe', emptyPage]]))
  expect(tool).toBe('close')
  expect(input.summary).toMatch(/^Not done: no field "Colour" was found\. Not carried out: "fill in Colour", "click Save"\./)
})

test('an approval that is denied ends the run with the reason (S3-48)', async () => {
  const goal = 'click Pay'
  const shown =
    '<page W url="https://a.test">\n[observe] url="https://a.test/" title="A" found=1 matching=1\n- button "Pay" [ref=e1]\n</page W>'
  const { tool, input } = await callFor(
    promptOf(goal, [
      ['1 of 1: click Pay [look]', 'browser-observe', shown],
      ['1 of 1: click Pay [act button "Pay"]', 'browser-act', 'approval_denied: the user does not want to pay.', true],
    ]),
  )
  expect(tool).toBe('close')
  expect(input.summary).toContain('Not done: approval_denied: the user does not want to pay.')
})

test('where only close is left, the summary says that the goal is not reached (S3-40)', async () => {
  const { tool, input } = await callFor(promptOf('Search for tea'), { toolChoice: { type: 'tool', toolName: 'close' } })
  expect(tool).toBe('close')
  expect(input.summary).toMatch(/^Not done: no more calls are allowed\./)
})

test('a master agent hands the goal to its sub-agent and passes on its report (S3-07)', async () => {
  const master = [{ type: 'function' as const, name: 'sub-agent', inputSchema: { type: 'object' as const } }]
  expect(await callFor(promptOf('Search for tea'), { tools: master })).toMatchObject({
    tool: 'sub-agent',
    input: { task: 'Search for tea' },
  })
  const { content } = await callFor(promptOf('Search for tea', [['The sub-agent does this.', 'sub-agent', 'Tea costs $3.']]), {
    tools: master,
  })
  expect(content).toEqual([{ type: 'text', text: 'Tea costs $3.' }])
})

test('only words that confirm an order mean that it was placed', () => {
  for (const words of ['Thank you, Ann', 'Order HP-1001 is placed: 1 × Kettle.', 'Your order was confirmed', '下单成功'])
    expect(words).toMatch(meanings.ordered)
  for (const words of ['Your order', 'Order confirmation', 'Checkout', 'Place order', 'Review your order'])
    expect(words).not.toMatch(meanings.ordered)
})

test('after an interruption the rules look first, and go on with the call that was not carried out (S3-05 S3-48)', async () => {
  const system = { role: 'system' as const, content: '<goal>\nadd Tea and Cup to the cart\n</goal>' }
  const goesOn = (words: string): Options['prompt'] => [
    { role: 'user', content: [{ type: 'text', text: `The run was interrupted and goes on now.\n${words}` }] },
  ]
  const shop = (refs: readonly [string, string]) =>
    `<page w>\n[snapshot] url="https://a.test/" title="A"\n- listitem:\n  - heading "Tea" [level=2]\n  - button "Add to cart" [ref=${refs[0]}]\n- listitem:\n  - heading "Cup" [level=2]\n  - button "Add to cart" [ref=${refs[1]}]\n</page w>`
  const first = ['1 of 1: add Tea and Cup to the cart [act 1]', 'browser-act', `ok: click e1\n${shop(['e1', 'e2'])}`] as const
  const parked = ['1 of 1: add Tea and Cup to the cart [act 2]', 'browser-act', 'approval_required: A person must approve.', true] as const
  const before = [system, ...promptOf('add Tea and Cup to the cart', [first, parked])]
  const approved = [...before, ...goesOn('The user approved click: make the same call again.')]
  const look = await callFor(approved)
  expect(look).toMatchObject({ tool: 'browser-snapshot', content: [{ text: expect.stringContaining('[resumed act 1]') }, {}] })
  const seen = promptOf('', [['1 of 1: add Tea and Cup to the cart [resumed act 1]', 'browser-snapshot', shop(['e7', 'e8'])]]).slice(1)
  // what was added before is not added again, and refs of the old page are not used
  expect(await callFor([...approved, ...seen])).toMatchObject({ tool: 'browser-act', input: { action: 'click', ref: 'e8' } })
  // from then on, answers count as usual
  const added = promptOf('', [['1 of 1: add Tea and Cup to the cart [act 2]', 'browser-act', `ok: click e8\n${shop(['e7', 'e8'])}`]]).slice(
    1,
  )
  expect(await callFor([...approved, ...seen, ...added])).toMatchObject({
    tool: 'close',
    input: { summary: expect.stringContaining('1. added Tea, Cup to the cart') },
  })
  const denied = await callFor([...before, ...goesOn('The user denied click: too expensive. Do something else, or close.')])
  expect(denied).toMatchObject({
    tool: 'close',
    input: { summary: expect.stringContaining('Not done: the user denied click: too expensive.') },
  })
  const unknown = await callFor([...before, ...goesOn('outcome_unknown: click was begun before the interruption and may have happened.')])
  expect(unknown).toMatchObject({
    tool: 'close',
    input: { summary: expect.stringContaining('It may have happened, and the rules cannot tell') },
  })
})

test('an action whose outcome is not known is neither repeated nor listed as not carried out (S3-40)', async () => {
  const page = '<page w>\n- textbox "Name" [ref=e1]\n- button "Pay" [ref=e2]\n</page w>'
  const opened = `fill Name with Ada, click Pay, then click Home\n\nThe page was opened:\nok: open\n${page}`
  const both = '1 of 3: fill in Name [act]\n2 of 3: click Pay [joined act button "Pay"]'
  const unknown = 'outcome_unknown: The browser did not answer. 1 of 2 actions were carried out before.'
  for (const notes of [both, '1 done: set Name\n2 of 3: click Pay [act button "Pay"]'])
    expect(await callFor(promptOf(opened, [[notes, 'browser-act', unknown, true]]))).toMatchObject({
      tool: 'close',
      input: { summary: expect.stringMatching(/2\. click Pay, whose outcome is not known\. Not carried out: "click Home"\./) },
    })
})

test('an item that is in the cart is not added again when the rules have to look for the next one (S3-40)', async () => {
  const step = '1 of 1: add Tea and Cup to the cart'
  const shop = '<page w>\n- listitem:\n  - heading "Tea" [level=2]\n  - button "Add to cart" [ref=e1]\n</page w>'
  const first = [`${step} [act 1]`, 'browser-act', `ok: click e1\n${shop}`] as const
  const look = await callFor(promptOf('add Tea and Cup to the cart', [first]))
  expect(look).toMatchObject({ tool: 'browser-observe', content: [{ text: `${step} [look 1]` }, {}] })
  const found = await callFor(promptOf('add Tea and Cup to the cart', [first, [`${step} [look 1]`, 'browser-observe', shop]]))
  expect(found).toMatchObject({ tool: 'close', input: { summary: expect.stringContaining('no product "Cup" was found') } })
  const stale = [`${step} [act 2]`, 'browser-act', 'ref_not_found: e2 is not on this page.', true] as const
  const again = await callFor(promptOf('add Tea and Cup to the cart', [first, stale]))
  expect(again.content).toMatchObject([{ text: `${step} [look again 1]` }, {}])
})

/** The call after the rules have observed a page with these lines. */
async function callAfterLook(goal: string, lines: string) {
  const { content } = await callFor(promptOf(goal))
  const note = content.flatMap(each => (each.type === 'text' ? each.text : [])).join()
  const page = `<page W url="https://a.test">\n[observe] url="https://a.test/" title="A" found=3 matching=3\n${lines}\n</page W>`
  return (await callFor(promptOf(goal, [[note, 'browser-observe', page]]))).input
}

test('the words of a Chinese goal find names with spaces and Traditional names', async () => {
  const lines = '- textbox "姓 名：" [ref=e1]\n- textbox "電　話" [ref=e2]\n- button "提 交" [ref=e3]'
  expect(await callAfterLook('在姓名中输入张三，在电话中输入123，然后点击提交', lines)).toMatchObject({
    action: 'fillForm',
    fields: [
      { ref: 'e1', value: '张三' },
      { ref: 'e2', value: '123' },
    ],
  })
  expect(await callAfterLook('点击提交', lines)).toMatchObject({ action: 'click', ref: 'e3' })
})

test('选择 falls back to a click on what is named so and is no option by its role', async () => {
  const lines = '- generic "朱泥西施 200ml" [ref=e4]\n- generic "段泥 180ml" [ref=e5]\n- clickable "官方标配" [ref=e6]'
  expect(await callAfterLook('选择朱泥西施 200ml，选择官方标配', lines)).toMatchObject({ action: 'click', ref: 'e4' })
  expect(await callAfterLook('选择官方标配', lines)).toMatchObject({ action: 'click', ref: 'e6' })
})

test('what is left of a Chinese goal is repeated in Chinese', () => {
  expect(parseInstructions('在姓名中输入张三，在电话里输入1，然后用 li 和密码 x1 登录').map(({ words }) => words)).toEqual([
    '填写姓名, 填写电话',
    '用 li 登录',
  ])
})
