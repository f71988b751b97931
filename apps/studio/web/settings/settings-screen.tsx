import { useMutation, useQuery } from '@tanstack/react-query'
import type { StudioSettings } from '../../../../src/wire/studio-api.ts'
import { api, queries } from '../api/client.ts'
import { useMessages } from '../messages/language.tsx'
import { Failed, Loading } from '../shell/states.tsx'
import { toast, toastError } from '../shell/toast.tsx'
import { About } from './about.tsx'
import { Appearance } from './appearance.tsx'
import { Grants } from './grants.tsx'
import { Hosts } from './hosts.tsx'
import { Limits } from './limits.tsx'
import { ModelField } from './model-field.tsx'
import { PolicyTable } from './policy-table.tsx'
import { Secrets } from './secrets.tsx'
import type { SaveSettings } from './section.tsx'

const useSave = (): SaveSettings => {
  const messages = useMessages()
  const { mutate } = useMutation(
    api.settings.set.mutationOptions({
      onSuccess: saved => {
        queries.setQueryData(api.settings.get.queryKey(), saved)
        void queries.invalidateQueries(api.info.queryFilter())
        void toast(messages.settings.saved)
      },
      onError: toastError(messages),
    }),
  )
  return changes => mutate(changes)
}

const Sections = ({ settings }: { settings: StudioSettings }) => {
  const save = useSave()
  return (
    <>
      <ModelField model={settings.model} save={save} />
      <Limits limits={settings.limits} save={save} />
      <PolicyTable policy={settings.policy} save={save} />
      <Hosts hosts={settings.allowedHosts} save={save} />
      <Grants />
      <Secrets />
      <Appearance settings={settings} save={save} />
      <About />
    </>
  )
}

const SettingsScreen = () => {
  const { settings: texts, app } = useMessages()
  const { data, error, refetch } = useQuery(api.settings.get.queryOptions())
  return (
    <main className="h-full overflow-y-auto">
      <div className="mx-auto flex min-h-full max-w-3xl flex-col bg-surface px-5 py-5 sm:border-x">
        <h1 className="text-base font-semibold">{texts.title}</h1>
        {data === undefined ? (
          error === null ? (
            <Loading />
          ) : (
            <Failed title={app.failed} error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <Sections settings={data} />
        )}
      </div>
    </main>
  )
}
export default SettingsScreen
