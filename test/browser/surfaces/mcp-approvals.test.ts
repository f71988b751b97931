// The program `pagehand mcp` with approvals, a real client over its standard streams, a real browser, and `pagehand approve` beside it.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPrograms } from '../../../scripts/programs.mjs'
import { serve } from '../../support/http-server.ts'

// inside the work tree, so that the browser in node_modules is found
const folder = mkdtempSync(fileURLToPath(new URL('../../../node_modules/.pagehand-', import.meta.url)))
const program = join(folder, 'cli.js')
beforeAll(async () => {
  await buildPrograms(folder)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

const page = `<title>Shop</title><form method=post action="/order"><button>Order now</button></form>
<form method=post action="/delete"><button>Delete account</button></form>`

/** A shop, a server for it with approvals, and a client; `answer` is its person, if it can show forms. */
async function connect(answer?: (message: string) => ElicitResult) {
  const received: string[] = []
  const shop = await serve((request, response) => {
    if (request.method === 'POST') received.push(String(request.url))
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
  const home = mkdtempSync(join(folder, 'home-'))
  const env = { ...process.env, PAGEHAND_HOME: home } as Record<string, string>
  const args = [program, 'mcp', '--approvals', 'default', '--site', new URL(shop.url).host]
  const client = new Client({ name: 'test', version: '1' }, { capabilities: answer ? { elicitation: {} } : {} })
  const questions: string[] = []
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message)
      return answer(params.message)
    })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }))
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError = false } = (await client.callTool({ name, arguments: given })) as {
      content: { text: string }[]
      isError?: boolean
    }
    return { isError, text: content.map(({ text }) => text).join('\n') }
  }
  await call('web_open', { url: shop.url })
  return {
    client,
    received,
    questions,
    /** Clicks the button with this name on a new look at the page. */
    async click(name: string) {
      const { text } = await call('web_snapshot')
      return call('web_click', { ref: new RegExp(`button "${name}".*?\\[ref=(\\w+)\\]`).exec(text)?.[1] })
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

test('a client with elicitation asks its person: accept acts once, decline denies, cancel leaves the request open (S3-05 S3-48)', {
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
  next = { action: 'decline' }
  expect(await mcp.click('Delete account')).toMatchObject({ isError: true, text: expect.stringMatching(/^approval_denied: /) })
  expect(mcp.received).toEqual(['/order'])
  const decided = JSON.parse((await mcp.pagehand('approvals', '--all', '--json')).text) as { approvals: { state: string }[] }
  expect(decided.approvals.map(({ state }) => state)).toEqual(['used', 'denied'])
})

test('a client without elicitation gets an id, another process decides, and the same call goes through exactly once (S3-05 S3-48 F9)', {
  timeout: 120_000,
}, async () => {
  await using mcp = await connect()
  const waiting = await mcp.click('Order now')
  expect(waiting).toMatchObject({ isError: true, text: expect.stringMatching(/^approval_required: /) })
  expect((await mcp.click('Order now')).text).toBe(waiting.text)
  const [, id = ''] = /request (\w+)/.exec(waiting.text) ?? []
  expect(waiting.text).toContain(`The user decides it in a terminal: \`pagehand approve ${id}\`. Pass this on to the user`)
  expect(await mcp.pagehand('approve', id)).toMatchObject({ code: 0, text: expect.stringContaining(`approved (once): ${id}`) })
  expect(await mcp.pagehand('approve', id, '--deny', 'no')).toMatchObject({ code: 1, text: expect.stringContaining('decided before') })
  expect(await mcp.click('Order now')).toMatchObject({ isError: false })
  const again = await mcp.click('Order now')
  expect(again).toMatchObject({ isError: true, text: expect.stringMatching(/^approval_required: /) })
  expect(again.text).not.toContain(id)
  expect(mcp.received).toEqual(['/order'])
  const [, other = ''] = /request (\w+)/.exec(again.text) ?? []
  expect(await mcp.pagehand('approve', other, '--deny', 'enough tea')).toMatchObject({ code: 0 })
  expect(await mcp.click('Order now')).toMatchObject({ isError: true, text: expect.stringContaining('"enough tea"') })
  expect(mcp.received).toEqual(['/order'])
  // no tool of the model reads or decides a request
  const { tools } = await mcp.client.listTools()
  expect(tools.filter(({ name }) => /appro|grant|inspect|explain/.test(name))).toEqual([])
  expect((await mcp.pagehand('approve', 'nosuch1')).text).toContain('What a run of the studio asks is decided in the studio.')
})
