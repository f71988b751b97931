import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, engines } from '../../support/engines.ts'
import { runScenario } from '../../support/scenario.ts'
import { openSite, type Site } from '../../support/site.ts'
import { fields } from './engines/fields.ts'
import { keys } from './engines/keys.ts'
import { pages } from './engines/pages.ts'
import { pointers } from './engines/pointers.ts'
import { queries } from './engines/queries.ts'
import { refusals } from './engines/refusals.ts'

const scenarios = [...pointers, ...fields, ...keys, ...refusals, ...queries, ...pages]
let site: Site

beforeAll(async () => {
  site = await openSite()
})

test('scenario titles are unique', () => {
  expect(new Set(scenarios.map(({ title }) => title)).size).toBe(scenarios.length)
})

for (const [name, open] of Object.entries(engines))
  describe.skipIf(!open)(name, () => {
    let engine: Engine | undefined
    let reason = ''
    let passed = 0

    beforeAll(async () => {
      if (!open) return
      try {
        engine = await open()
      } catch (error) {
        if (name === 'Chromium') throw error
        reason = String(error) // an installed engine may still fail to start on this machine
      }
    })
    afterAll(async () => {
      console.log(
        engine ? `${name} ${engine.version}: ${passed} of ${scenarios.length} scenarios passed` : `${name} did not start: ${reason}`,
      )
      await engine?.close()
    })

    for (const scenario of scenarios)
      test(scenario.title, async ({ skip }) => {
        if (!engine) return skip(`${name} did not start`)
        await runScenario(engine, site, scenario)
        passed++
      })
  })

afterAll(() => {
  const missing = Object.keys(engines).filter(name => !engines[name])
  if (missing.length > 0) console.log(`not installed, see scripts/engines: ${missing.join(', ')}`)
})
