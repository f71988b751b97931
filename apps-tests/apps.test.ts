import { readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { bundle } from './bundle.ts'
import { type AppPage, type Driver, drivers } from './drivers.ts'
import { type Outcome, tables, withTables } from './table.ts'
import { type App, apps, type Step, type Task } from './tasks.ts'

const css = readFileSync(new URL('../test/fixtures/apps/app.css', import.meta.url), 'utf8')
const document = new URL('../docs/apps.md', import.meta.url)
const outcomes: Outcome[] = []

describe.each(apps)('$name', app => {
  const built = bundle(app.entry)
  describe.each(Object.keys(drivers) as Driver[])('%s driver', driver => {
    test.each(app.tasks)('$what: a reported success is a real one (S0-93)', async task => {
      const outcome = await judge(app, task, { driver, ...(await built) })
      outcomes.push(outcome)
      expect(outcome.verdict, outcome.why).not.toBe('lied')
    })
  })
})

afterAll(() => {
  const all = apps.reduce((sum, { tasks }) => sum + tasks.length * Object.keys(drivers).length, 0)
  console.log(tables(outcomes))
  // a partial run would drop the other rows
  if (outcomes.length === all) writeFileSync(document, withTables(readFileSync(document, 'utf8'), outcomes))
})

/** Performs a task on a fresh page and compares the reported result with the state of the app. */
async function judge(app: App, task: Task, { driver, js, css: own }: { driver: Driver; js: string; css: string }): Promise<Outcome> {
  await using page = await drivers[driver](
    `<!doctype html><title>${app.name}</title><link rel=stylesheet href=app.css><link rel=stylesheet href=own.css><div id=app></div><script src=app.js></script>`,
    { 'app.js': js, 'app.css': css, 'own.css': own },
  )
  const state = async (): Promise<object> => JSON.parse(await page.evaluate('JSON.stringify(window.state)'))
  const outcome = (verdict: Outcome['verdict'], why = ''): Outcome => ({ app, driver, task: task.what, verdict, why })

  const prepared = await perform(page, task.first ?? [])
  if (prepared) return outcome('stuck', `during preparation: ${prepared}`)
  const before = await state()
  const refused = await perform(page, task.steps)
  const after = await state()
  const isDone = holds(after, task.wants)
  if (!refused)
    return isDone ? outcome('works') : outcome('lied', `wanted ${JSON.stringify(task.wants)}, the app has ${JSON.stringify(after)}`)
  if (!isDeepStrictEqual(before, after)) return outcome('half', `${refused}; the app has ${JSON.stringify(after)}`)
  return outcome(/^\d+ elements match/.test(refused) ? 'stuck' : 'refused', refused)
}

/** The reason for stopping; '' if every answer was ok. */
async function perform(page: AppPage, steps: readonly Step[]): Promise<string> {
  for (const [what, kind, payload] of steps) {
    let ref: string
    try {
      ref = await page.ref(what)
    } catch (error) {
      return String(error instanceof Error ? error.message : error)
    }
    const why = await page.act(ref, kind, payload)
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
