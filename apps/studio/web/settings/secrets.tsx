import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/language.tsx'
import { Section } from './section.tsx'

export const Secrets = () => {
  const { settings: texts } = useMessages()
  const { data: info } = useQuery(api.info.queryOptions())
  const names = info?.secretNames ?? []
  return (
    <Section title={texts.secrets} text={texts.secretsText}>
      {names.length === 0 ? (
        <p className="text-[0.8125rem] text-muted">
          {texts.noSecrets} <code className="font-mono text-xs">PAGEHAND_SECRET_NAME=…</code>
        </p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {names.map(name => (
            <li key={name} className="flex items-center gap-1.5 rounded-md border bg-raised px-2 py-1 font-mono text-xs">
              <KeyRound className="size-3 text-faint" aria-hidden />
              {name}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
