// The program `pagehand mcp` with approvals, a real client over its standard streams, a real browser, and `pagehand approve` beside it.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPrograms } from '../../../scripts/programs.mjs'
import { fileRunStore } from '../../../src/evidence.ts'
import { serve } from '../../support/http-server.ts'

// inside the work tree, so that the browser in node_modules is found
const folder = mkdtempSync(fileURLToPath(new URL('../../../node_modules/.pagehand-', import.meta.url)))
const program = join(folder, 'cli.js')
beforeAll(async () => {
  await buildPrograms(folder)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

const page = `<title>Shop</title><form method=post action="/order"><label>Tea <input name=tea value=green></label>
<input type=hidden name=token value=t0k3n><button>Order now</button></form>
<form method=post action="/delete"><button>Delete account</button></form>`

/** A shop, a server for it with approvals, and a client; `answer` is its person, if it can show forms. */
async function connect(answer?: (message: string) => ElicitResult, given: { html?: string; flags?: readonly string[] } = {}) {
  const received: string[] = []
  const bodies: string[] = []
  const shop = await serve((request, response) => {
    if (request.method === 'POST') received.push(String(request.url))
    request.on('data', (body: Buffer) => bodies.push(body.toString()))
    const attachment = { 'content-disposition': 'attachment; filename="report.txt"' }
    response.writeHead(200, { 'content-type': 'text/html', ...(request.url === '/file' && attachment) }).end(given.html ?? page)
  })
  const home = mkdtempSync(join(folder, 'home-'))
  const env = { ...process.env, PAGEHAND_HOME: home } as Record<string, string>
  const args = [program, 'mcp', '--approvals', 'default', '--site', new URL(shop.url).host, ...(given.flags ?? [])]
  const client = new Client({ name: 'test', version: '1' }, { capabilities: answer ? { elicitation: {} } : {} })
  const questions: string[] = []
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message)
      return answer(params.message)
    })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }))
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError = false } = (await client.callTool({ name, arguments: input })) as {
      content: { text: string }[]
      isError?: boolean
    }
    return { isError, text: content.map(({ text }) => text).join('\n') }
  }
  await call('web_open', { url: shop.url })
  const refOf = async (line: string) => new RegExp(`${line}.*?\\[ref=(\\w+)\\]`).exec((await call('web_snapshot')).text)?.[1]
  return {
    client,
    received,
    call,
    refOf,
    bodies,
    store: fileRunStore({ folder: join(home, 'runs') }),
    fill: async (name: string, text: string) => call('web_fill', { ref: await refOf(`textbox "${name}"`), value: text }),
    /** Runs `pagehand` in a terminal of its own, in which a person types this. */
    async atTerminal(words: readonly string[], typed: string) {
      const command = [process.execPath, program, ...words].map(word => `'${word}'`).join(' ')
      const shell = spawn('script', ['-qec', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
      let text = ''
      shell.stdout.on('data', (part: Buffer) => {
        text += part
        if (text.includes('Type yes: ') && shell.stdin.writable) shell.stdin.end(`${typed}\n`)
      })
      const [code] = await once(shell, 'close')
      return { code, text }
    },
    questions,
    /** Clicks the button with this name on a new look at the page. */
    async click(name: string) {
      return call('web_click', { ref: await refOf(`button "${name}"`) })
    },
    /** Runs `pagehand` in another process. */
    async pagehand(...words: string[]) {
      const run = promisify(execFile)(process.execPath, [program, ...words], { env })
      return run.then(
        ({ stdout }) => ({ code: 0, text: stdout }),
        ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
      )
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      await shop[Symbol.asyncDispose]()
    },
  }
}

test('a client with elicitation asks its person: accept acts once, decline and cancel leave the request open (S3-05 S3-48 TRUST G5)', {
  timeout: 120_000,
}, async () => {
  let next: ElicitResult = { action: 'cancel' }
  await using mcp = await connect(() => next)
  const cancelled = await mcp.click('Order now')
  expect(cancelled).toMatchObject({ isError: true, text: expect.stringMatching(/^approval_required: .*request (\w+)/) })
  expect(mcp.questions[0]).toMatch(/what: +click \(submit, pay\)\non: +button "Order now"[\s\S]*to: +"http:[^"]+\/order"/)
  expect((await mcp.pagehand('approvals')).text).toContain('pending')
  // the same request is asked again, and is not another one
  const [, id = ''] = /request (\w+)/.exec(cancelled.text) ?? []
  next = { action: 'accept', content: { decision: 'allow once' } }
  expect(await mcp.click('Order now')).toMatchObject({ isError: false })
  expect(mcp.questions.map(question => /^request: (\w+)$/m.exec(question)?.[1])).toEqual([id, id])
  expect(mcp.received).toEqual(['/order'])
  expect(mcp.questions[0]).toContain('Click button "Order now", which sends "Tea": "green", 1 hidden field')
  // a client without a person declines by itself
  next = { action: 'decline' }
  const declined = await mcp.click('Delete account')
  expect(declined).toMatchObject({ isError: true, text: expect.stringMatching(/^approval_required: .*The client declined the question/) })
  expect(declined.text).not.toMatch(/said no|did not approve/)
  expect((await mcp.store.approvals({ pending: true })).map(({ request }) => request.target?.name)).toEqual(['Delete account'])
  next = { action: 'accept', content: { decision: 'deny' } }
  expect(await mcp.click('Delete account')).toMatchObject({ isError: true, text: expect.stringMatching(/^approval_denied: /) })
  expect(mcp.received).toEqual(['/order'])
  const decided = JSON.parse((await mcp.pagehand('approvals', '--all', '--json')).text) as { approvals: { state: string }[] }
  expect(decided.approvals.map(({ state }) => state)).toEqual(['used', 'denied'])
})

const yes = { approved: true, scope: 'once', by: 'ann', at: '2026-01-01T00:00:00.000Z' } as const
const deny = { ...yes, approved: false, reason: 'enough tea' }

test('a client without elicitation waits for a decision of another process, and the same call goes through exactly once (S3-05 S3-48 F9)', {
  timeout: 120_000,
}, async () => {
  await using mcp = await connect()
  const waiting = await mcp.click('Order now')
  expect(waiting).toMatchObject({ isError: true, text: expect.stringMatching(/^approval_required: /) })
  expect((await mcp.click('Order now')).text).toBe(waiting.text)
  const [, id = ''] = /request (\w+)/.exec(waiting.text) ?? []
  // what the model reads is not enough to approve it
  expect(waiting.text).not.toContain('pagehand approve')
  expect(await mcp.pagehand('approve', id)).toMatchObject({ code: 1, text: expect.stringContaining('approve needs a terminal') })
  expect((await mcp.pagehand('approvals')).text).toContain('sends:  "Tea": "green", 1 hidden field')
  expect(await mcp.store.decide(id, yes)).toBe('decided')
  expect(await mcp.pagehand('approve', id, '--deny', 'no')).toMatchObject({ code: 1, text: expect.stringContaining('decided before') })
  expect(await mcp.click('Order now')).toMatchObject({ isError: false })
  const again = await mcp.click('Order now')
  expect(again).toMatchObject({ isError: true, text: expect.stringMatching(/^approval_required: /) })
  expect(again.text).not.toContain(id)
  expect(mcp.received).toEqual(['/order'])
  const [, other = ''] = /request (\w+)/.exec(again.text) ?? []
  expect(await mcp.store.decide(other, deny)).toBe('decided')
  expect(await mcp.click('Order now')).toMatchObject({ isError: true, text: expect.stringContaining('"enough tea"') })
  expect(mcp.received).toEqual(['/order'])
  // no tool of the model reads or decides a request
  const { tools } = await mcp.client.listTools()
  expect(tools.filter(({ name }) => /appro|grant|inspect|explain/.test(name))).toEqual([])
  expect((await mcp.pagehand('approve', 'nosuch1')).text).toContain('What a run of the studio asks is decided in the studio.')
})

test('what the model changes after the question is not sent under its approval (TRUST G1)', { timeout: 120_000 }, async () => {
  await using mcp = await connect()
  const [, id = ''] = /request (\w+)/.exec((await mcp.click('Order now')).text) ?? []
  expect(await mcp.fill('Tea', 'black, 900 kg')).toMatchObject({ isError: false })
  await mcp.store.decide(id, yes)
  const again = await mcp.click('Order now')
  expect(again).toMatchObject({ isError: true, text: expect.stringMatching(/^approval_(stale|required): /) })
  expect([again.text.includes(`request ${id}. The`), mcp.bodies]).toEqual([false, []])
  // the new question names the new words
  const [open] = await mcp.store.approvals({ pending: true })
  expect(open?.request.data?.fields).toEqual([{ label: 'Tea', value: 'black, 900 kg' }])
  await mcp.store.decide(open?.request.id ?? '', yes)
  expect(await mcp.click('Order now')).toMatchObject({ isError: false })
  expect(mcp.bodies).toEqual(['tea=black%2C+900+kg&token=t0k3n'])
})

test.skipIf(!existsSync('/usr/bin/script'))('a person approves at a terminal, with a yes (TRUST G5)', { timeout: 120_000 }, async () => {
  await using mcp = await connect()
  const [, id = ''] = /request (\w+)/.exec((await mcp.click('Order now')).text) ?? []
  expect(await mcp.atTerminal(['approve', id], 'no')).toMatchObject({ code: 1, text: expect.stringContaining('nothing was decided') })
  expect(await mcp.store.approvals({ pending: true })).toHaveLength(1)
  const approved = await mcp.atTerminal(['approve', id], 'yes')
  expect(approved).toMatchObject({ code: 0, text: expect.stringContaining(`approved (once): ${id}`) })
  expect(approved.text).toContain('Click button "Order now", which sends "Tea": "green", 1 hidden field')
  expect(await mcp.click('Order now')).toMatchObject({ isError: false })
  expect(mcp.received).toEqual(['/order'])
})

test('a link that answers with a file is asked about in a form, and the file is saved after the answer (TRUST B5)', async () => {
  const saved = mkdtempSync(join(folder, 'saved-'))
  const found: (readonly string[])[] = []
  const answer = (): ElicitResult => {
    found.push(readdirSync(saved))
    return { action: 'accept', content: { decision: answers.length > 0 ? (answers.shift() as string) : 'deny' } }
  }
  const answers = ['allow once']
  await using shop = await connect(answer, { html: '<title>Shop</title><a href="/file">Next page</a>', flags: ['--downloads', saved] })
  const click = async () => (await shop.call('web_click', { ref: await shop.refOf('link "Next page"') })).text
  const texts = [await click()]
  const until = (words: string) =>
    expect
      .poll(async () => {
        texts.push((await shop.call('web_snapshot')).text)
        return texts.join('\n')
      })
      .toContain(words)
  await until('Downloaded "report.txt"')
  expect(shop.questions[0]).toContain('Save "report.txt"')
  expect([found, readdirSync(saved)]).toEqual([[[]], ['report.txt']])
  texts.push(await click())
  await until('approval_denied: the user did not approve the download of "report.txt"')
  expect(readdirSync(saved)).toEqual(['report.txt'])
  expect(shop.questions).toHaveLength(2)
})
