// npm run test:faults: the tests of all promises and attacks, each as often as it was tried, with a table of tries and failures.
import { mergeConfig } from 'vitest/config'
import { titles } from './test/faults/cases.ts'
import config from './vitest.config.ts'

process.env.PAGEHAND_FAULTS = 'long'

export default mergeConfig(config, {
  test: { testNamePattern: titles, reporters: ['default', './test/faults/table-reporter.ts'] },
})
