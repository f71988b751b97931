import type { StudioSettings } from '../../../../src/wire/studio-api.ts'
import { useMessages } from '../messages/language.tsx'
import { Choice } from './choice.tsx'
import { type SaveSettings, Section } from './section.tsx'

export const PolicyTable = ({ policy, save }: { policy: StudioSettings['policy']; save: SaveSettings }) => {
  const { settings: texts, approval } = useMessages()
  const options = [['allow', texts.rules.allow] as const, ['ask', texts.rules.ask] as const, ['deny', texts.rules.deny] as const]
  return (
    <Section title={texts.policy} text={texts.policyText}>
      <ul className="flex flex-col">
        {Object.entries(policy).map(([kind, rule]) => {
          const name = approval.classes[kind] ?? kind
          return (
            <li key={kind} className="flex items-center justify-between gap-3 border-b py-1.5 first:pt-0 last:border-b-0">
              <span className="text-[0.8125rem] first-letter:uppercase">{name}</span>
              <Choice label={name} value={rule} options={options} onChange={next => save({ policy: { [kind]: next } })} />
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
