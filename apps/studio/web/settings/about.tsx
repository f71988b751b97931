import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/language.tsx'
import { Section } from './section.tsx'

export const About = () => {
  const { settings: texts } = useMessages()
  const { data: info } = useQuery(api.info.queryOptions())
  return (
    <Section title={texts.about}>
      {info === undefined ? null : (
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-[0.8125rem]">
          <dt className="text-muted">{texts.version}</dt>
          <dd className="tabular">{info.version}</dd>
          <dt className="text-muted">{texts.drive}</dt>
          <dd>{texts.drives[info.drive]}</dd>
          <dt className="text-muted">{texts.dataFolder}</dt>
          <dd className="font-mono text-xs leading-5 [overflow-wrap:anywhere]">{info.dataFolder}</dd>
          <dt className="text-muted">{texts.database}</dt>
          <dd className="[overflow-wrap:anywhere]">
            {info.database.kind === 'embedded'
              ? texts.embedded(info.database.folder)
              : texts.postgresql(info.database.name, info.database.host)}
          </dd>
        </dl>
      )}
    </Section>
  )
}
