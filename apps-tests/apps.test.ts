import { readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { bundle } from './bundle.ts'
import { type Judged, tables, withTables } from './table.ts'
import { type App, apps, type Step, type Task } from './tasks.ts'
import { type Opened, type Way, ways } from './ways.ts'

const css = readFileSync(new URL('../test/fixtures/apps/app.css', import.meta.url), 'utf8')
const document = new URL('../docs/apps.md', import.meta.url)
const judged: Judged[] = []

describe.each(apps)('$name', app => {
  const built = bundle(app.entry)
  describe.each(Object.keys(ways) as Way[])('%s hands', way => {
    test.each(app.tasks)('$what: a reported success is a real one (S0-93)', async task => {
      const outcome = await judge(app, task, { way, ...(await built) })
      judged.push(outcome)
      expect(outcome.verdict, outcome.why).not.toBe('lied')
    })
  })
})

afterAll(() => {
  const all = apps.reduce((sum, { tasks }) => sum + tasks.length * Object.keys(ways).length, 0)
  console.log(tables(judged))
  // a partial run would drop the other rows
  if (judged.length === all) writeFileSync(document, withTables(readFileSync(document, 'utf8'), judged))
})

/** Performs a task on a fresh page and compares the reported result with the state of the app. */
async function judge(app: App, task: Task, { way, js, css: own }: { way: Way; js: string; css: string }): Promise<Judged> {
  await using on = await ways[way](
    `<!doctype html><title>${app.name}</title><link rel=stylesheet href=app.css><link rel=stylesheet href=own.css><div id=app></div><script src=app.js></script>`,
    { 'app.js': js, 'app.css': css, 'own.css': own },
  )
  const state = async (): Promise<object> => JSON.parse(await on.evaluate('JSON.stringify(window.state)'))
  const tell = (verdict: Judged['verdict'], why = ''): Judged => ({ app, way, task: task.what, verdict, why })

  const prepared = await perform(on, task.first ?? [])
  if (prepared) return tell('stuck', `before it began, ${prepared}`)
  const before = await state()
  const refused = await perform(on, task.steps)
  const after = await state()
  const isDone = holds(after, task.wants)
  if (!refused) return isDone ? tell('works') : tell('lied', `wanted ${JSON.stringify(task.wants)}, the app has ${JSON.stringify(after)}`)
  if (!isDeepStrictEqual(before, after)) return tell('half', `${refused}; the app has ${JSON.stringify(after)}`)
  return tell(/^\d+ things are/.test(refused) ? 'stuck' : 'refused', refused)
}

/** The reason for stopping; '' if every answer was ok. */
async function perform(on: Opened, steps: readonly Step[]): Promise<string> {
  for (const [what, kind, payload] of steps) {
    let ref: string
    try {
      ref = await on.find(what)
    } catch (error) {
      return String(error instanceof Error ? error.message : error)
    }
    const why = await on.act(ref, kind, payload)
    if (why) return `${kind}: ${why}`
  }
  return ''
}

/** Whether the state contains everything wanted. */
function holds(is: unknown, wants: unknown): boolean {
  if (typeof wants !== 'object' || wants === null || typeof is !== 'object' || is === null) return is === wants
  if (Array.isArray(wants)) return Array.isArray(is) && is.length === wants.length && wants.every((want, i) => holds(is[i], want))
  return Object.entries(wants).every(([key, want]) => holds((is as Record<string, unknown>)[key], want))
}
