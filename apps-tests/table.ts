import { readFileSync } from 'node:fs'
import type { App } from './tasks.ts'

export interface Judged {
  readonly app: App
  readonly task: string
  /**
   * works: we said it is done, and the app says so too. refused: we said no, and nothing changed. half: we said no, and something changed.
   * stuck: we said yes, but the next thing to act on is not on the page. lied: we said yes, and it is not so.
   */
  readonly verdict: 'works' | 'refused' | 'half' | 'stuck' | 'lied'
  readonly why: string
}

const begin = '<!-- made by npm run test:apps -->'
const end = '<!-- until here -->'

/** The table alone, or the document around it with the table made new. */
export function table(judged: readonly Judged[], document?: string): string {
  const apps = [...new Set(judged.map(({ app }) => app))]
  const rows = apps.map(app =>
    row(
      app,
      judged.filter(each => each.app === app),
    ),
  )
  const text = ['| application | works | refused, and nothing changed | else |', '|---|---|---|---|', ...rows].join('\n')
  if (document === undefined) return text
  const [before = '', rest = ''] = document.split(begin)
  return `${before}${begin}\n${text}\n${end}${rest.split(end)[1] ?? '\n'}`
}

function row(app: App, judged: readonly Judged[]): string {
  const of = (...verdicts: readonly Judged['verdict'][]) => judged.filter(({ verdict }) => verdicts.includes(verdict))
  const told = ({ task, why }: Judged) => `${task} (${why.split('\n')[0]})`
  return `| ${[
    `${app.name} ${versionOf(app.from)}`,
    of('works')
      .map(({ task }) => task)
      .join(', '),
    of('refused').map(told).join(', '),
    of('half', 'stuck', 'lied')
      .map(each => `${each.verdict}: ${told(each)}`)
      .join(', '),
  ].join(' | ')} |`
}

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version
