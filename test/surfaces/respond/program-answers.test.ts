import { expect, test } from 'vitest'
import type { ParsedCommand } from '../../../src/contract/commands.ts'
import { parseCommand } from '../../../src/contract/parse-command.ts'
import { type AnyRun, ok } from '../../../src/contract/run.ts'
import type { ResponderOptions, RespondOptions } from '../../../src/surfaces/respond/context.ts'
import { createResponder } from '../../../src/surfaces/respond/responder.ts'
import { page } from '../../render/page.ts'
import { recordingDriver } from '../../support/recording-driver.ts'

function responder(run: AnyRun, options: ResponderOptions = {}) {
  const respond = createResponder(run, options)
  return (name: string, given: object = {}, request: RespondOptions = {}) => {
    const call = parseCommand({ ...given, name })
    if (!call.ok) throw new Error(call.error.message)
    return respond(call.value as ParsedCommand, request)
  }
}
const buttons = Array.from({ length: 30 }, (_, at) => ({
  role: 'button',
  name: `Button ${at}`,
  ref: `e${at + 1}`,
  interactive: true as const,
}))
const forProgram = { forProgram: true }

test('the status has a fence only around the words of the page, and says where the errors are', async () => {
  let facts: object = { running: true, executable: '/bin/chrome', pid: 7 }
  const ask = responder(async () => ok(facts), { word: () => 'WORD' })
  expect((await ask('status')).text).toBe('ok: status\nrunning: true\nexecutable: "/bin/chrome"\npid: 7')
  facts = { ...facts, url: 'https://a.test/', dialog: { type: 'alert', message: 'Hi' }, errors: 89 }
  expect((await ask('status')).text.split('\n')).toEqual([
    'ok: status',
    'running: true',
    'executable: "/bin/chrome"',
    'pid: 7',
    'errors: 89 in the console of the page; the command console lists them',
    '<page WORD>',
    'url: "https://a.test/"',
    'dialog: {"type":"alert","message":"Hi"}',
    '</page WORD>',
  ])
  facts = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`fact${at}`, 'x'.repeat(300)]))
  expect((await ask('status')).text.length).toBeLessThanOrEqual(1_500)
  facts = { ...facts, url: `https://a.test/${'x'.repeat(500)}`, dialog: { message: 'y'.repeat(500) }, title: 'z'.repeat(500) }
  expect((await ask('status')).text).toMatch(/\n<page WORD>\nurl: .*\n<\/page WORD>$/s)
})

test('the status is answered while another call is running', async () => {
  let release = () => {}
  const ask = responder(async ({ name }) => {
    if (name !== 'status')
      await new Promise<void>(resolve => {
        release = resolve
      })
    return ok(name === 'status' ? { running: true } : page([]))
  })
  const look = ask('snapshot')
  expect((await ask('status')).text).toContain('running: true')
  release()
  expect((await look).ok).toBe(true)
})

test('without the loop guard, a repeated call is carried out and answered in full', async () => {
  const { run, commands } = recordingDriver({ shows: () => page(buttons) })
  const ask = responder(run, { loopGuard: false, word: () => 'WORD' })
  const { text } = await ask('snapshot')
  for (let time = 0; time < 3; time++) expect((await ask('snapshot')).text).toBe(text)
  for (let time = 0; time < 4; time++) expect(await ask('click', { ref: 'e1' })).toMatchObject({ ok: true })
  expect(commands.filter(({ name }) => name === 'click')).toHaveLength(4)
})

test('an answer for a program has the data of the result, and JSON without a fence', async () => {
  const ask = responder(recordingDriver({ shows: () => page(buttons) }).run)
  const { text, data } = await ask('snapshot', {}, { ...forProgram, format: 'json' })
  expect(JSON.parse(text)).toMatchObject({ type: 'snapshot', nodes: expect.arrayContaining([expect.objectContaining({ ref: 'e1' })]) })
  expect(data).toMatchObject({ tree: { role: 'document' }, meta: { title: 'Tea' } })
  const cut = await ask('snapshot', { maxChars: 400 }, { ...forProgram, format: 'json' })
  expect(cut.text.length).toBeLessThanOrEqual(400)
  expect(JSON.parse(cut.text)).toMatchObject({ truncated: true })
  expect((await ask('snapshot', {}, { format: 'json' })).text).toMatch(/^<page /)
  expect(await ask('tabs')).not.toHaveProperty('data')
})

test('a program gets values that are JSON parsed, and no bytes of a screenshot', async () => {
  const results: { readonly [name: string]: object } = {
    evaluate: { value: '{"a":[1]}', truncated: false },
    query: { value: '{"href":"/y"}', truncated: false },
  }
  const scripted = recordingDriver({
    shows: () => page([]),
    does: { evaluate: () => ok(results.evaluate), query: () => ok(results.query) },
  })
  const ask = responder(scripted.run, { allowEval: true })
  expect(await ask('evaluate', { js: '1' }, forProgram)).toMatchObject({ data: { value: { a: [1] } } })
  expect(await ask('query', { ref: 'e1', kind: 'attrs' }, forProgram)).toMatchObject({ data: { value: { href: '/y' } } })
  expect(await ask('query', { ref: 'e1', kind: 'text' }, forProgram)).toMatchObject({ data: { value: '{"href":"/y"}' } })
  const { data } = await ask('screenshot', {}, forProgram)
  expect(data).toMatchObject({ width: 1280 })
  expect(data).not.toHaveProperty('base64')
})
