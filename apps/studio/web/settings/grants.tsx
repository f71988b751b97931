import { useMutation, useQuery } from '@tanstack/react-query'
import { api, queries } from '../api/client.ts'
import { ruleWords } from '../messages/fact-words.ts'
import { useLanguage, useMessages } from '../messages/language.tsx'
import { Button } from '../shell/button.tsx'
import { ago } from '../shell/dates.ts'
import { toast, toastError } from '../shell/toast.tsx'
import { Section } from './section.tsx'

export const Grants = () => {
  const messages = useMessages()
  const { settings: texts, approval } = messages
  const language = useLanguage()
  const { data: grants = [] } = useQuery(api.grants.list.queryOptions())
  const revoke = useMutation(
    api.grants.revoke.mutationOptions({
      onSuccess: () => void toast(texts.revoked),
      onError: toastError(messages),
      onSettled: () => void queries.invalidateQueries(api.grants.list.queryFilter()),
    }),
  )
  return (
    <Section title={texts.grants} text={texts.grantsText}>
      {grants.length === 0 ? (
        <p className="text-[0.8125rem] text-muted">{texts.noGrants}</p>
      ) : (
        <ul className="flex flex-col">
          {grants.map(grant => (
            <li key={grant.id} className="flex items-center justify-between gap-3 border-b py-2 first:pt-0 last:border-b-0">
              <span className="min-w-0">
                <span className="block text-[0.8125rem] first-letter:uppercase [overflow-wrap:anywhere]" title={grant.rule}>
                  {ruleWords(grant, messages)}
                </span>
                <span className="text-2xs text-faint">
                  {approval.scopes[grant.scope]} · {ago(grant.createdAt, language)}
                </span>
              </span>
              <Button
                size="small"
                look="danger"
                aria-label={`${texts.revoke}: ${ruleWords(grant, messages)}`}
                onClick={() => revoke.mutate({ id: grant.id })}
              >
                {texts.revoke}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
