import { createUIMessageStream, readUIMessageStream } from 'ai'
import { expect, test } from 'vitest'
import { createBrowserAgent } from '../../../src/agent.ts'
import { type BrowserCommandPart, type BrowserCommandReport, createCommandClient, createRemoteDriver } from '../../../src/wire.ts'
import { call, close, refIn, scriptedModel } from '../../support/scripted-model.ts'
import { openTestSession } from '../../support/test-session.ts'

const html = `<title>Shop</title><h1>Tea shop</h1><p>Open until six.</p><button type=button onclick="document.title='ordered'">Show the order</button>`
const place = { sessionId: 's1', clientId: 'window-1', tabId: 't1', viewKey: 'v1', cdpTargetId: 'A1' }

test('an agent on a server without a browser works through data-browser-command and reported results (S3-06 S3-09 S3-10 S3-11 S3-16)', async () => {
  await using page = await openTestSession({ html })
  // the window: it knows the server only by what is sent over the wire
  const names: string[] = []
  const overTheWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
  const execute = createCommandClient({
    sessionId: 's1',
    clientId: 'window-1',
    run: ({ command }) => {
      names.push(command.name)
      return page.session.run(command as never)
    },
    report: async report => void driver.report(overTheWire<BrowserCommandReport>(report)),
  })
  // the server: it has a model and the tools, and no browser
  const written: { readonly type: string; readonly data: BrowserCommandPart; readonly transient: boolean }[] = []
  const driver = createRemoteDriver({
    place,
    send: data => {
      written.push({ type: 'data-browser-command', data, transient: true })
      void execute(overTheWire(data))
    },
  })
  const model = scriptedModel([
    call('browser-observe', { task: 'order' }),
    call('browser-extract', { query: 'open until' }),
    call('browser-snapshot', { interactiveOnly: false }),
    (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Show the order"') }),
    close('Ordered.'),
  ])
  const agent = await createBrowserAgent({ model, run: driver.run, goal: 'Order one' })
  expect(await agent.run()).toMatchObject({ reason: 'closed', summary: 'Ordered.' })
  expect((await page.do('snapshot')).meta.title).toBe('ordered')
  expect(names).toContain('snapshot')
  expect(names.filter(name => name === 'click')).toHaveLength(1)
  expect(written.every(({ data }) => /^[0-9a-f]{32}$/.test(data.commandId) && data.tabId === 't1' && data.cdpTargetId === 'A1')).toBe(true)
  expect(model.prompts[2]).toContain('Open until six.')
  driver.close()
})

test('a command part is transient: a history that is read again contains no command to carry out (S3-33 X3-8)', async () => {
  const data = { commandId: 'c', tabId: 't1', viewKey: 'v1', cdpTargetId: 'A1', command: { name: 'click', ref: 'e1' } }
  const stream = createUIMessageStream({
    execute: ({ writer }) => {
      writer.write({ type: 'start' })
      writer.write({ type: 'data-browser-command', data, transient: true })
      writer.write({ type: 'data-browser-event', data: {} })
      writer.write({ type: 'finish' })
    },
  })
  let parts: string[] = []
  for await (const message of readUIMessageStream({ stream })) parts = message.parts.map(({ type }) => type)
  expect(parts).toEqual(['data-browser-event'])
})
