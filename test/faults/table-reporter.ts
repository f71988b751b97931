// Prints which promise was tried how often and with how many failures, and fails the run if a promise has no test.
import { readFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { cases } from './cases.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** how often a test tries its case; 1 if it does not say */
    tries?: number
  }
}

interface Row {
  readonly name: string
  tests: number
  tries: number
  failures: number
}

export default class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(module => [...module.children.allTests()]).filter(test => test.result().state !== 'skipped')
    const promises = [...promisesIn(readFileSync('docs/requirements.md', 'utf8'))].map(([id, text]) =>
      count(`${id}  ${text}`, tests, test => idsOf(test.name).includes(id)),
    )
    const attacks = cases.map(({ name, titles }) => count(name, tests, test => titles.test(test.name)))
    process.stdout.write(`\n${toTable('promise', promises)}\n\n${toTable('attack', attacks)}\n`)
    const missing = [...promises, ...attacks].filter(row => row.tests === 0)
    if (missing.length === 0) return
    process.stdout.write(`\nwithout a test:\n${missing.map(({ name }) => `  ${name}`).join('\n')}\n`)
    process.exitCode = 1
  }
}

/** The guarantees of docs/requirements.md, by their number. */
const promisesIn = (document: string): Map<string, string> =>
  new Map([...document.matchAll(/^\| TRUST (\w\d) \| (.+) \|$/gm)].map(([, id = '', text = '']) => [id, text]))

/** The promises at the end of a test title: (A6, F2) or (TRUST C2). Without TRUST, C2 is a decision. */
function idsOf(title: string): string[] {
  const lists = [...title.matchAll(/\(([^()]+)\)/g)].flatMap(([, list = '']) => list.split(/,? (?<!TRUST )/))
  return lists.flatMap(id => /^(?:TRUST[ -]([A-F]\d)|([ABDEF]\d))$/.exec(id)?.slice(1).filter(Boolean) ?? [])
}

function count(name: string, tests: readonly TestCase[], matches: (test: TestCase) => boolean): Row {
  const row: Row = { name, tests: 0, tries: 0, failures: 0 }
  for (const test of tests.filter(matches)) {
    row.tests++
    row.tries += test.meta().tries ?? 1
    row.failures += test.result().state === 'failed' ? 1 : 0
  }
  return row
}

function toTable(what: string, rows: readonly Row[]): string {
  const lines = rows.map(({ name, tests, tries, failures }) => `| ${name} | ${tests} | ${tries} | ${failures} |`)
  return [`| ${what} | tests | tries | failures |`, '|---|--:|--:|--:|', ...lines].join('\n')
}
