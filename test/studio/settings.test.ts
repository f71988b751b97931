import { expect, test } from 'vitest'
import { defaultSettings, modelFrom, settingsFrom } from '../../apps/studio/server/settings.ts'
import { isModel } from '../../apps/studio/web/settings/validation.ts'
import { defaultRules } from '../../src/approval/approval-policy.ts'
import { actionClasses } from '../../src/contract/approval.ts'

test('every class of actions has a rule in the settings, whatever was stored', () => {
  for (const stored of [{}, { policy: {} }, { policy: { eval: 'deny' as const } }, { theme: 'dark' as const }])
    expect(Object.keys(settingsFrom(stored).policy)).toEqual([...actionClasses])
  expect(settingsFrom({ policy: { eval: 'deny' } }).policy).toEqual({ ...defaultRules, eval: 'deny' })
})

test('the model of a new studio is a valid name, and means the model of the command line', () => {
  expect(isModel(defaultSettings.model)).toBe(true)
  expect(modelFrom(defaultSettings, 'openai/other')).toBe('openai/other')
  expect(modelFrom({ ...defaultSettings, model: 'rules' }, 'openai/other')).toBe('rules')
})
