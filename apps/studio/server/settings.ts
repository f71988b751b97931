import type { LanguageModel } from 'ai'
import { defaultRules } from 'pagehand/tools'
import type { StudioSettings } from 'pagehand/wire'

/** The settings of a new studio. */
export const defaultSettings: StudioSettings = {
  model: 'auto',
  limits: { steps: 30, timeMs: 15 * 60_000 },
  policy: defaultRules,
  allowedHosts: [],
  language: 'auto',
  theme: 'system',
}

/** The settings that hold, with a rule for every class of actions. */
export const settingsFrom = (stored: Partial<StudioSettings>): StudioSettings => ({
  ...defaultSettings,
  ...stored,
  policy: { ...defaultSettings.policy, ...stored.policy },
})

/** The model of the settings. `auto` is the one of the command line or of the environment; `rules` if there is neither. */
export function modelFrom({ model }: StudioSettings, given: LanguageModel | undefined): LanguageModel {
  if (model !== 'auto') return model
  const { OPENAI_API_KEY, OPENAI_BASE_URL, PAGEHAND_MODEL } = process.env
  return given ?? PAGEHAND_MODEL ?? (OPENAI_API_KEY || OPENAI_BASE_URL ? 'openai/gpt-5-mini' : 'rules')
}
