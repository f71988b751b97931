import { expect } from 'vitest'
import { AgentBrowser } from '../../src/index.ts'
import type { Engine } from './engines.ts'
import { until } from './processes.ts'
import { scriptActions } from './script-actions.ts'
import type { Site } from './site.ts'

/** Steps on a page and their expected results, run in every engine. */
export interface Scenario {
  /** a sentence about behavior, with its requirement IDs */
  readonly title: string
  readonly html: string
  readonly files?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
  /** expressions and their final values */
  readonly expect?: Readonly<Record<string, unknown>>
}

/** `gives` is matched against the parsed result, patterns against its strings; the default is { ok: true } */
export type Step =
  | { readonly act: string; readonly on: string; readonly with?: object; readonly gives?: object }
  | { readonly query: string; readonly on: string; readonly with?: object; readonly gives?: object }
  | { readonly page: string; readonly with?: object; readonly gives?: object }
  /** a script of the page between two actions */
  | { readonly run: string }
  /** waits until an expression is true */
  | { readonly until: string }
  /** stores a ref under a name that later steps use as `on` */
  | { readonly keep: string; readonly as: string }
  /** a query for an element that is on the page, or is not */
  | { readonly sees: string }
  | { readonly misses: string }

export async function runScenario(engine: Engine, site: Site, { html, files = {}, steps, expect: ends = {} }: Scenario): Promise<void> {
  const folder = site.add({ '': `<!doctype html><meta charset=utf-8><title>test</title>${html}`, ...files })
  try {
    await engine.goto(folder.url)
    await engine.evaluate(AgentBrowser.getScript())
    const page = scriptActions(engine.evaluate)
    const kept = new Map<string, string>()
    const refFor = async (what: string) => kept.get(what) ?? (/^(\S*\d+|)$/.test(what) ? what : await page.ref(what))
    // steps depend on each other, so they run in order
    for (const step of steps) {
      if ('act' in step) {
        const payload = step.with && 'to' in step.with ? { to: await refFor(String(step.with.to)) } : step.with
        const answer = await engine.evaluate(AgentBrowser.actionJs(await refFor(step.on), step.act as never, payload as never))
        expect(AgentBrowser.parseActionResult(answer), JSON.stringify(step)).toMatchObject(expected(step.gives))
      } else if ('query' in step) {
        const answer = await engine.evaluate(AgentBrowser.queryJs(await refFor(step.on), step.query as never, step.with as never))
        expect(AgentBrowser.parseQueryResult(answer), JSON.stringify(step)).toMatchObject(expected(step.gives))
      } else if ('page' in step) {
        const answer = await engine.evaluate(AgentBrowser.pageJs(step.page as never, step.with as never))
        expect(AgentBrowser.parsePageResult(answer), JSON.stringify(step)).toMatchObject(expected(step.gives))
      } else if ('run' in step) await engine.evaluate(`void (${step.run}), ''`)
      else if ('until' in step) await waitFor(engine, step.until)
      else if ('keep' in step) kept.set(step.as, await page.ref(step.keep))
      else if ('sees' in step) await page.ref(step.sees)
      else await expect(page.ref(step.misses)).rejects.toThrow('0 elements')
    }
    for (const [expression, value] of Object.entries(ends))
      expect(JSON.parse(await engine.evaluate(`JSON.stringify(${expression})`)), expression).toEqual(value)
  } finally {
    folder.remove()
  }
}

/** Replaces patterns by matchers of strings. */
function expected(gives: object = { ok: true }): object {
  const each = ([key, value]: [string, unknown]) => [
    key,
    value instanceof RegExp ? expect.stringMatching(value) : isObject(value) ? expected(value) : value,
  ]
  return Object.fromEntries(Object.entries(gives).map(each))
}
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Waits across navigations, during which nothing answers; a new document gets the script. */
async function waitFor(engine: Engine, expression: string): Promise<void> {
  const isTrue = () =>
    engine.evaluate(`String(Boolean(${expression}))`).then(
      value => value === 'true',
      () => false,
    )
  await until(isTrue, { what: expression, withinMs: 10_000 })
  await engine.evaluate(AgentBrowser.getScript())
}
