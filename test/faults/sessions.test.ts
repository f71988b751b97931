import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { webTools } from '../../src/tools.ts'
import { sendHtml, serve } from '../support/http-server.ts'
import { openTestSession } from '../support/test-session.ts'
import { tries } from './scale.ts'

const openFiles = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0)

test('a long session of actions, pages, tabs and screenshots fails nothing and keeps nothing open (F4, A6)', {
  timeout: 1_800_000,
}, async ({ task }) => {
  const [actions, pages, tabs, screenshots] = [tries(1_160, 20), tries(200, 4), tries(40, 2), tries(60, 2)]
  task.meta.tries = actions + pages + 2 * tabs + screenshots
  const html = '<title>t</title><button onclick="n.textContent = +n.textContent + 1">Add</button><p id=n>0</p>'
  await using session = await openTestSession({ html }, { allowEval: true })
  const ref = await session.ref('button "Add"')
  const before = openFiles()
  for (let n = 0; n < actions; n++) await session.do('click', { ref })
  expect(await session.do('evaluate', { js: 'n.textContent' })).toMatchObject({ value: `"${actions}"` })
  for (let n = 0; n < pages; n++) await session.do('open', { url: `${session.url}?${n}` })
  for (let n = 0; n < tabs; n++) {
    await session.do('tabs', { operation: 'new', url: session.url })
    await session.do('tabs', { operation: 'close' })
  }
  for (let n = 0; n < screenshots; n++) await session.do('screenshot')
  expect((await session.do('tabs', { operation: 'list' })).tabs).toHaveLength(1)
  // connections of the test server are closed later
  expect(openFiles() - before).toBeLessThan(40)
})

test('two clients on one session are answered in order, and neither gets the answer of the other (F4)', {
  timeout: 600_000,
}, async ({ task }) => {
  const rounds = tries(145, 5)
  task.meta.tries = rounds * 2
  const html =
    '<button onclick="a.textContent = +a.textContent + 1">One</button><button onclick="b.textContent = +b.textContent + 1">Two</button><p id=a>0</p><p id=b>0</p>'
  await using session = await openTestSession({ html }, { allowEval: true })
  const refs = { a: await session.ref('button "One"'), b: await session.ref('button "Two"') }
  const answers = await Promise.all(
    Array.from({ length: rounds }, () => [
      session.session.run({ name: 'click', ref: refs.a }),
      session.session.run({ name: 'click', ref: refs.b }),
    ]).flat(),
  )
  expect(answers.filter(({ ok }) => !ok)).toEqual([])
  expect(await session.do('evaluate', { js: 'a.textContent + " " + b.textContent' })).toMatchObject({ value: `"${rounds} ${rounds}"` })
})

test('a page that flips between an allowed and a denied host shows nothing of the denied one (B4)', {
  timeout: 1_800_000,
}, async ({ task }) => {
  const looks = tries(1_085, 30)
  task.meta.tries = looks
  const flip = (other: string, text: string) =>
    `<title>${text}</title><h1>${text}</h1><button>${text}</button><script>setTimeout(() => { location = '${other}' }, 20)</script>`
  await using server = await serve((request, response) => {
    const isDenied = request.headers.host?.startsWith('localhost')
    const other = `http://${isDenied ? '127.0.0.1' : 'localhost'}:${server.port}/`
    return sendHtml(flip(other, isDenied ? 'DENIED-TEXT' : 'allowed'))(request, response)
  })
  // requests to the denied host are allowed, so that its documents arrive and must be left
  await using session = await openTestSession({}, { hosts: { allow: ['127.0.0.1'], allowResources: ['localhost'] } })
  const tools = webTools(session.session.run)
  const calls = [
    ['web_snapshot', { interactive_only: false }],
    ['web_tabs', {}],
    ['web_wait', { text: 'DENIED-TEXT', timeout_ms: 1 }],
    ['web_screenshot', {}],
  ] as const
  let shown = 0
  for (let n = 0; n < looks; n++) {
    if (n % 4 === 0) await tools.execute('web_open', { url: server.url })
    const [name, fields] = calls[n % calls.length] ?? calls[0]
    const { ok, text } = tools.toModel(await tools.execute(name, fields))
    if (name === 'web_wait' ? ok : text.includes('DENIED-TEXT')) shown++
  }
  expect(shown).toBe(0)
})

test('prototype pollution and strange values in calls are refused and change nothing (E5)', async ({ task }) => {
  await using session = await openTestSession({ html: '<button>B</button>' })
  const tools = webTools(session.session.run)
  const values: readonly unknown[] = [
    null,
    5,
    [],
    {},
    true,
    '',
    'e1\u0000',
    '\ud800',
    { toString: null },
    JSON.parse('{"__proto__":{"ref":"e1"}}'),
    'x'.repeat(1e6),
  ]
  const names = ['web_click', 'web_query', 'web_press_key']
  task.meta.tries = values.length * names.length
  for (const name of names)
    for (const value of values) {
      const field = name === 'web_press_key' ? 'key' : 'ref'
      const answer = tools.toModel(await tools.execute(name, { [field]: value, ...(name === 'web_query' && { kind: 'text' }) }))
      expect([answer.ok, answer.text.length < 5_000], `${name} ${String(JSON.stringify(value)).slice(0, 60)}`).toEqual([false, true])
    }
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as { ref?: string }).ref).toBeUndefined()
})
