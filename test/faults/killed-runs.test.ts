import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileRunStore } from '../../src/evidence.ts'
import { bundleProgram } from '../support/child-program.ts'
import { serve } from '../support/http-server.ts'
import { killAtRandom, openTwoWindows } from './killed-processes.ts'
import { tries } from './scale.ts'

/**
 * A run of 12 steps on a page that is made up: the steps 3, 7 and 11 send a POST, and 3 and 11 need an approval. It goes on where the last
 * process was killed, never repeats a step whose outcome is unknown, and looks at the server instead.
 */
const program = `
import { approvalLayer } from './src/approval/layer.ts'
import { recordRun } from './src/evidence/record.ts'
import { fileRunStore } from './src/evidence/run-store.ts'
import { ok, fail, wrap } from './src/contract/run.ts'

const [folder, server, id] = process.argv.slice(2)
const store = fileRunStore({ folder })
const journal = id ? await store.open(id) : await store.create({ label: 'sweep' })
const page = { url: 'https://shop.test/', title: 'Shop' }
const number = command => Number(String(command.ref ?? command.mark).slice(1))
const facts = step => ({
  url: page.url, origin: 'https://shop.test', role: 'button', name: 'Step ' + step, path: 'main', tag: 'button', type: 'button',
  ...((step === 3 || step === 11) && { submits: { action: 'https://shop.test/' + step, method: 'post' } }),
})
const driver = async command => {
  if (command.name === 'inspect') return ok(facts(number(command)))
  if (command.name === 'screenshot') return ok({ mime: 'image/png', base64: 'cGFnZQ==', width: 1, height: 1, page })
  if (command.name !== 'click') return fail('snapshot_failed', 'there is no page.')
  const step = number(command)
  if ([3, 7, 11].includes(step)) await fetch(server + journal.id + '/' + step, { method: 'POST' })
  return ok({ page, effect: {}, settled: true, trusted: true })
}
const run = wrap(driver, approvalLayer({ journal, sites: ['shop.test'], approve: async () => 'pending' }), recordRun(journal).layer)
console.log(journal.id)
const unknown = new Set(journal.events().filter(({ type }) => type === 'looked').map(({ about }) => about))
for (let step = 1; step <= 12; step++) {
  for (;;) {
    journal.beginCall('step-' + step)
    const result = await run({ name: 'click', ref: 'e' + step })
    journal.endCall()
    if (result.ok) break
    if (result.error.code === 'outcome_unknown') {
      if (!unknown.has(step)) await journal.append({ type: 'looked', about: step })
      break
    }
    if (result.error.code !== 'approval_required') throw new Error(JSON.stringify(result))
    const [, request] = /request (\\w+)/.exec(result.error.message)
    await store.decision(request)
  }
}
await journal.end({ text: 'done' })
`

test('runs that are killed at random moments send each POST at most once, lose nothing and end (F8 F9)', { timeout: 600_000 }, async ({
  task,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'pagehand-sweep-'))
  const file = await bundleProgram(program, folder)
  const store = fileRunStore({ folder: join(folder, 'runs') })
  const posts = new Map<string, number>()
  await using server = await serve((request, response) => {
    posts.set(request.url ?? '', (posts.get(request.url ?? '') ?? 0) + 1)
    setTimeout(() => response.end(), Math.random() * 20)
  })
  await using _windows = openTwoWindows(store)
  const wanted = tries(100, 10)
  let kills = 0
  while (kills < wanted) {
    const run = await killAtRandom({
      folder: join(folder, 'runs'),
      file,
      url: server.url,
      maxKills: Math.min(5, wanted - kills),
      maxMs: 250,
    })
    kills += run.kills
    const { events, damage } = await store.read(run.id)
    expect(damage).toBeUndefined()
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', text: 'done' })
    const intents = events.filter(({ type }) => type === 'command')
    expect(intents.map(({ actionId }) => actionId)).toEqual(Array.from({ length: 12 }, (_, index) => `step-${index + 1}.1`))
    for (const step of [3, 7, 11]) {
      const sent = posts.get(`/${run.id}/${step}`) ?? 0
      const isKnown = !events.some(({ type, about }) => type === 'looked' && about === step)
      if (isKnown) expect(sent, `step ${step} of ${run.id}`).toBe(1)
      else expect(sent, `step ${step} of ${run.id}`).toBeLessThanOrEqual(1)
    }
    // an approval is used once, by at most one intent, and none is left open; those of processes that were killed are over
    const used = intents.flatMap(({ approval }) => approval ?? [])
    expect(new Set(used).size).toBe(used.length)
    expect(used).toHaveLength(2)
    const states = (await store.approvals({ run: run.id })).map(({ state }) => state)
    expect(states.filter(state => state !== 'used' && state !== 'stale')).toEqual([])
    expect(states.filter(state => state === 'used').length).toBeGreaterThanOrEqual(2)
  }
  task.meta.tries = kills
})
