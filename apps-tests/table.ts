import { readFileSync } from 'node:fs'
import type { App } from './tasks.ts'
import type { Way } from './ways.ts'

/**
 * works: we said it is done, and the app says so too. refused: we said no, and nothing changed. half: we said no, and something changed.
 * stuck: we said yes, but the next thing to act on is not on the page. lied: we said yes, and it is not so.
 */
export const verdicts = ['works', 'refused', 'half', 'stuck', 'lied'] as const

export interface Judged {
  readonly app: App
  readonly way: Way
  readonly task: string
  readonly verdict: (typeof verdicts)[number]
  readonly why: string
}

const begin = '<!-- made by npm run test:apps -->'
const end = '<!-- until here -->'

const headings: { readonly [way in Way]: string } = {
  injected: '## The injected script, in any WebView',
  trusted: '## Trusted input, in a Chromium session',
}

export const tables = (judged: readonly Judged[]): string =>
  (Object.keys(headings) as Way[])
    .map(way => ({ way, own: judged.filter(each => each.way === way) }))
    .filter(({ own }) => own.length > 0)
    .map(({ way, own }) => `${headings[way]}\n\n${table(own)}`)
    .join('\n\n')

/** The results of each app; columns without results are left out. */
function table(judged: readonly Judged[]): string {
  const apps = [...new Set(judged.map(({ app }) => app))]
  const seen = verdicts.filter(verdict => judged.some(each => each.verdict === verdict))
  const counts = verdicts.map(verdict => `${judged.filter(each => each.verdict === verdict).length} ${verdict}`)
  const rows = apps.map(app => {
    const cells = seen.map(verdict =>
      judged
        .filter(each => each.app === app && each.verdict === verdict)
        .map(told)
        .join('; '),
    )
    return `| ${[`${app.name} ${versionOf(app.from)}`, ...cells].join(' | ')} |`
  })
  const head = [`| application | ${seen.join(' | ')} |`, `|---|${'---|'.repeat(seen.length)}`]
  return [`${judged.length} tasks: ${counts.join(', ')}.`, '', ...head, ...rows].join('\n')
}

/** The document with its tables regenerated. */
export function withTables(document: string, judged: readonly Judged[]): string {
  const [before = '', rest = ''] = document.split(begin)
  return `${before}${begin}\n\n${tables(judged)}\n\n${end}${rest.split(end)[1] ?? '\n'}`
}

const told = ({ task, why }: Judged) => (why ? `${task} (${why.split('\n')[0]})` : task)

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version
