import type { StudioSettings } from '../../../../src/wire/studio-api.ts'
import { useMessages } from '../messages/language.tsx'
import { setPreferences } from '../shell/preferences.ts'
import { Choice } from './choice.tsx'
import { type SaveSettings, Section } from './section.tsx'

export const Appearance = ({ settings, save }: { settings: StudioSettings; save: SaveSettings }) => {
  const { settings: texts } = useMessages()
  const choose = (changes: Partial<Pick<StudioSettings, 'theme' | 'language'>>) => {
    setPreferences(changes)
    save(changes)
  }
  return (
    <Section title={texts.appearance}>
      <div className="flex flex-col gap-2.5">
        <div className="flex items-center justify-between gap-3">
          <span className="text-[0.8125rem]">{texts.theme}</span>
          <Choice
            label={texts.theme}
            value={settings.theme}
            options={(['system', 'light', 'dark'] as const).map(each => [each, texts.themes[each]] as const)}
            onChange={theme => choose({ theme })}
          />
        </div>
        <div className="flex items-center justify-between gap-3">
          <span className="text-[0.8125rem]">{texts.languageLabel}</span>
          <Choice
            label={texts.languageLabel}
            value={settings.language}
            options={[
              ['auto', texts.languageAuto],
              ['en', 'English'],
              ['zh-CN', '简体中文'],
            ]}
            onChange={language => choose({ language })}
          />
        </div>
      </div>
    </Section>
  )
}
