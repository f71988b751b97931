import { readFileSync } from 'node:fs'
import type { Driver } from './drivers.ts'
import type { App } from './tasks.ts'

/**
 * works: a reported success that the app confirms. refused: a reported failure, and nothing changed. half: a reported failure, and
 * something changed. stuck: the target of the next step is not on the page. lied: a reported success that the app denies.
 */
export const verdicts = ['works', 'refused', 'half', 'stuck', 'lied'] as const

export interface Outcome {
  readonly app: App
  readonly driver: Driver
  readonly task: string
  readonly verdict: (typeof verdicts)[number]
  readonly why: string
}

const begin = '<!-- made by npm run test:apps -->'
const end = '<!-- until here -->'

const headings: { readonly [driver in Driver]: string } = {
  script: '## The injected script, in any WebView',
  cdp: '## Trusted input, in a Chromium session',
}

export const tables = (outcomes: readonly Outcome[]): string =>
  (Object.keys(headings) as Driver[])
    .map(driver => ({ driver, own: outcomes.filter(each => each.driver === driver) }))
    .filter(({ own }) => own.length > 0)
    .map(({ driver, own }) => `${headings[driver]}\n\n${table(own)}`)
    .join('\n\n')

/** The results of each app; columns without results are left out. */
function table(outcomes: readonly Outcome[]): string {
  const apps = [...new Set(outcomes.map(({ app }) => app))]
  const seen = verdicts.filter(verdict => outcomes.some(each => each.verdict === verdict))
  const counts = verdicts.map(verdict => `${outcomes.filter(each => each.verdict === verdict).length} ${verdict}`)
  const rows = apps.map(app => {
    const cells = seen.map(verdict =>
      outcomes
        .filter(each => each.app === app && each.verdict === verdict)
        .map(describeTask)
        .join('; '),
    )
    return `| ${[`${app.name} ${versionOf(app.from)}`, ...cells].join(' | ')} |`
  })
  const head = [`| application | ${seen.join(' | ')} |`, `|---|${'---|'.repeat(seen.length)}`]
  return [`${outcomes.length} tasks: ${counts.join(', ')}.`, '', ...head, ...rows].join('\n')
}

/** The document with its tables regenerated. */
export function withTables(document: string, outcomes: readonly Outcome[]): string {
  const [before = '', rest = ''] = document.split(begin)
  return `${before}${begin}\n\n${tables(outcomes)}\n\n${end}${rest.split(end)[1] ?? '\n'}`
}

const describeTask = ({ task, why }: Outcome) => (why ? `${task} (${why.split('\n')[0]})` : task)

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version
