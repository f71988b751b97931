import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Prints how many of the tests pass over the relay, and why the others cannot. */
export default class RelayReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(({ children }) => [...children.allTests()])
    const inState = (state: string) => tests.filter(test => test.result().state === state)
    const isOverRelay = (test: TestCase) => 'isOverRelay' in test.meta()
    const passed = inState('passed').filter(isOverRelay)
    const failed = inState('failed')
    const skipped = inState('skipped')
    const others = inState('passed').length - passed.length
    const list = (title: string, cases: readonly TestCase[], reason: (test: TestCase) => string | undefined) =>
      cases.length === 0 ? [] : [title, ...cases.map(test => `  ${test.name}: ${reason(test) ?? 'no reason is given'}`)]
    const lines = [
      `${passed.length} tests pass over the relay.`,
      `${others} tests of the same files are about browsers that they launch themselves, and pass.`,
      ...list(`${skipped.length} cannot pass over the relay:`, skipped, reasonOf),
      ...list(`${failed.length} failed:`, failed, test => test.result().errors?.[0]?.message),
    ]
    process.stdout.write(`\n${lines.join('\n')}\n`)
  }
}

function reasonOf(test: TestCase): string | undefined {
  const result = test.result()
  return result.state === 'skipped' ? result.note : undefined
}
