import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogEntry } from '../../src/contract/journal.ts'
import { fileRunStore } from '../../src/evidence.ts'
import { bundleProgram } from '../support/child-program.ts'
import { serve } from '../support/http-server.ts'
import { browserEnvironment } from './browser-environment.ts'
import { killAtRandom, openTwoWindows } from './killed-processes.ts'
import { tries } from './scale.ts'

/**
 * An agent with a scripted model in its own Chromium. The model has no memory: it knows only what the run shows it, as after any restart.
 * Half of the processes wait for an approval; the others end the run with needs_approval and resume it, which asks again.
 */
const program = `
import { createBrowserAgent, resumeBrowserAgent } from './src/agent.ts'
import { openSession } from './src/browser.ts'
import { fileRunStore } from './src/evidence.ts'
import { call, close, refIn, scriptedModel } from './test/support/scripted-model.ts'

const [folder, url, id] = process.argv.slice(2)
const store = fileRunStore({ folder })
const model = scriptedModel([
  (last, all) => {
    if (/outcome_unknown|approval_stale|ref_not_found|goes on now|^[^<]*$/.test(last)) return call('browser-snapshot', { interactiveOnly: false })
    if (all.includes('heading "All done"')) return close('Ordered, noted and paid.', ['All done'])
    const [stage] = [...all.matchAll(/heading "(Order|Note|Pay)"/g)].at(-1)?.slice(1) ?? []
    const since = all.slice(all.lastIndexOf('heading "' + stage + '"'))
    const isFilled = new RegExp('ok: fill').test(since)
    if (!isFilled) return call('browser-act', { action: 'fill', ref: refIn(all, 'textbox "Amount"'), text: '7' })
    return call('browser-act', { action: 'click', ref: refIn(all, 'button "Send ' + stage + '"') })
  },
])
const session = await openSession()
const waiting = { approve: ({ id }, signal) => store.decision(id, signal) }
const options = { model, session, evidence: store }
const first = { ...options, approvals: Math.random() < 0.5 ? waiting : {} }
let agent = id
  ? await resumeBrowserAgent(id, first)
  : await createBrowserAgent({ ...first, goal: 'Order, note and pay', page: url, limits: { steps: 400 } })
console.log(agent.id)
for (;;) {
  const { run, reason, need, error } = await agent.run()
  if (reason === 'closed') break
  if (reason !== 'needs_approval' || need?.kind !== 'approval') throw new Error(JSON.stringify({ reason, need, error }))
  await store.decision(need.id)
  agent = await resumeBrowserAgent(run, { ...options, approvals: waiting })
}
await session.close()
process.exit(0)
`

const stages = ['Order', 'Note', 'Pay'] as const

/** A form for each stage, one after the other: what the page shows is what the server knows. The note is sent by a script. */
const pageOf = (stage: (typeof stages)[number] | undefined, path: string): string =>
  stage === undefined
    ? '<title>Done</title><h1>All done</h1><p>Nothing is left to do.</p>'
    : `<title>${stage}</title><main><h1>${stage}</h1><form method=post action="${path}${stage}"><label>Amount <input name=amount></label>${
        stage === 'Note'
          ? `<button type=button onclick="fetch('${path}Note',{method:'POST'}).then(()=>location.reload())">Send Note</button>`
          : `<button>Send ${stage}</button>`
      }</form></main>`

async function openShop() {
  /** the POSTs of each run, in the order in which they arrived */
  const posts = new Map<string, string[]>()
  const server = await serve((request, response) => {
    const [, run = '', stage = ''] = (request.url ?? '').split('/')
    const sent = posts.get(run) ?? []
    posts.set(run, sent)
    if (request.method === 'POST') sent.push(stage)
    const reply = () => {
      if (request.method === 'POST') response.writeHead(303, { location: `/${run}/` }).end()
      else
        response.writeHead(200, { 'content-type': 'text/html' }).end(
          pageOf(
            stages.find(each => !sent.includes(each)),
            `/${run}/`,
          ),
        )
    }
    setTimeout(reply, Math.random() * 30)
  })
  return { posts, server }
}

const ofType = (events: readonly LogEntry[], wanted: string) => events.filter(({ type }) => type === wanted)

test('agents that are killed at random moments send each form at most once, lose nothing and end (F8 F9 S3-41)', {
  timeout: 1_800_000,
}, async ({ task }) => {
  const folder = mkdtempSync(join(tmpdir(), 'pagehand-killed-agents-'))
  const [file, env] = [await bundleProgram(program, folder), await browserEnvironment()]
  const store = fileRunStore({ folder: join(folder, 'runs') })
  const { posts, server } = await openShop()
  await using _ = server
  await using _windows = openTwoWindows(store)
  const wanted = tries(100, 3)
  let kills = 0
  for (let run = 1; kills < wanted; run++) {
    const maxKills = Math.min(5, wanted - kills)
    const killed = await killAtRandom({
      folder: join(folder, 'runs'),
      file,
      url: `${server.url}run${run}/`,
      maxKills,
      maxMs: 1_500,
      env,
    })
    kills += killed.kills
    expect(posts.get(`run${run}`), killed.id).toEqual([...stages])
    const { events, damage } = await store.read(killed.id)
    expect(damage).toBeUndefined()
    expect(ofType(events, 'agent.ended')).toMatchObject([{ reason: 'closed' }])
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', text: 'Ordered, noted and paid.' })
    const intents = ofType(events, 'command')
    expect(new Set(intents.map(({ actionId }) => actionId)).size).toBe(intents.length)
    // every form that was sent had its own approval
    const sent = intents.filter(({ fingerprint }) => /Send (Order|Pay)/.test(String(fingerprint)))
    const used = sent.flatMap(({ approval }) => approval ?? [])
    expect(sent.length).toBeGreaterThanOrEqual(2)
    expect(new Set(used).size).toBe(sent.length)
    const states = (await store.approvals({ run: killed.id })).map(({ state }) => state)
    expect(
      states.filter(state => state !== 'used' && state !== 'stale'),
      'no decision is lost',
    ).toEqual([])
  }
  task.meta.tries = kills
})
