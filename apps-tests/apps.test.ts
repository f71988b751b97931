import { readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { AgentBrowser } from '../src/index.ts'
import { openPage } from '../test/support/chromium.ts'
import { type Acted, type Hands, hands } from '../test/support/hands.ts'
import { bundle } from './bundle.ts'
import { type Judged, table, withTable } from './table.ts'
import { type App, apps, type Step, type Task } from './tasks.ts'

const css = readFileSync(new URL('../test/fixtures/apps/app.css', import.meta.url), 'utf8')
const document = new URL('../docs/apps.md', import.meta.url)
const judged: Judged[] = []

describe.each(apps)('$name', app => {
  const built = bundle(app.entry)
  test.each(app.tasks)('$what: what is claimed is true (S0-93)', async task => {
    const outcome = await judge(app, task, await built)
    judged.push(outcome)
    expect(outcome.verdict, outcome.why).not.toBe('lied')
  })
})

afterAll(() => {
  const all = apps.reduce((sum, { tasks }) => sum + tasks.length, 0)
  console.log(table(judged))
  // a run of a part would forget the rest
  if (judged.length === all) writeFileSync(document, withTable(readFileSync(document, 'utf8'), judged))
})

/** Does a task on a fresh page, and compares what we said with what the app itself believes. */
async function judge(app: App, task: Task, { js, css: own }: { js: string; css: string }): Promise<Judged> {
  await using page = await openPage({
    html: `<!doctype html><title>${app.name}</title><link rel=stylesheet href=app.css><link rel=stylesheet href=own.css><div id=app></div><script src=app.js></script>`,
    files: { 'app.js': js, 'app.css': css, 'own.css': own },
    atDocumentStart: AgentBrowser.getScript(),
  })
  const on = hands(expression => page.evaluate<string>(expression))
  const state = async (): Promise<object> => JSON.parse(await page.evaluate<string>('JSON.stringify(window.state)'))
  const tell = (verdict: Judged['verdict'], why = ''): Judged => ({ app, task: task.what, verdict, why })
  await on.rest()

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

/** Why it stopped; '' when every answer was ok. */
async function perform(on: Hands, steps: readonly Step[]): Promise<string> {
  for (const [what, kind, payload] of steps) {
    let ref: string
    try {
      ref = await on.find(what)
    } catch (error) {
      return String(error instanceof Error ? error.message : error)
    }
    let answer: Acted = await on.act(ref, kind, payload as never)
    // a closed list is opened by the first call, which says so
    if (!answer.ok && kind === 'select' && /choose again/.test(answer.error.message)) answer = await on.act(ref, kind, payload as never)
    if (!answer.ok) return `${kind}: ${answer.error.code}`
    if (answer.rest?.committed === false) return `${kind}: not_committed`
  }
  return ''
}

/** Whether everything wanted is so; more may be there. */
function holds(is: unknown, wants: unknown): boolean {
  if (typeof wants !== 'object' || wants === null || typeof is !== 'object' || is === null) return is === wants
  if (Array.isArray(wants)) return Array.isArray(is) && is.length === wants.length && wants.every((want, i) => holds(is[i], want))
  return Object.entries(wants).every(([key, want]) => holds((is as Record<string, unknown>)[key], want))
}
