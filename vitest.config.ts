import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// no test depends on timing: these timeouts only end tests that hang
const patience = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } }

// examples and the studio import the package by name, as its users do
const alias = [
  { find: /^pagehand$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) },
  { find: /^pagehand\/(\w+)$/, replacement: fileURLToPath(new URL('src/$1.ts', import.meta.url)) },
]

/** tests that start the built programs, install the package, or take seconds for one input: part of `npm test`, too slow for `npm run check` */
const integrationTests = [
  'test/surfaces/cli/{cli,html-command,optional-packages}.test.ts',
  'test/surfaces/mcp/mcp.test.ts',
  'test/html/{hostile,package}.test.ts',
  'test/{samples,workers}.test.ts',
  'test/render/fuzz.test.ts',
  'test/studio/{store,run-store,database-server}.test.ts',
]

// unit tests hold no state, so they share threads without isolation; a new realm per file would take longer than the tests
const unit = {
  name: 'unit',
  include: ['test/**/*.test.ts'],
  exclude: ['test/browser/**', 'test/faults/**', ...integrationTests],
  isolate: false,
  maxWorkers: 2,
  sequence: { groupOrder: 0 },
  alias,
  ...patience,
}
const integration = { ...unit, name: 'integration', include: integrationTests, exclude: [] }
// a worker keeps its Chromium for all files: one per file would be slow on two cores
const browser = {
  name: 'browser',
  include: ['test/browser/**/*.test.ts'],
  isolate: false,
  // two workers with a Chromium each, after the unit tests: a test mostly waits for its page
  maxWorkers: 2,
  sequence: { groupOrder: 1 },
  ...patience,
  globalSetup: ['test/support/clean-up.ts'],
  alias,
}

// every case a few times; `npm run test:faults` runs them as often as they were tried
const faults = { ...browser, name: 'faults', include: ['test/faults/**/*.test.ts'], sequence: { groupOrder: 2 } }

export default defineConfig({
  test: { pool: 'threads', projects: [{ test: unit }, { test: integration }, { test: browser }, { test: faults }] },
})
