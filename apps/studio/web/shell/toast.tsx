import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react'
import type { ToasterProps } from 'sonner'
import type { Messages } from '../messages/en.ts'
import { errorWords } from './error-words.ts'
import { usePreferences } from './preferences.ts'

// the library comes with the first toast
let used = false
const listeners = new Set<() => void>()
const Toaster = lazy(() =>
  import('sonner').then(
    ({ Toaster }): { default: ComponentType<ToasterProps> } => ({ default: Toaster }),
    () => ({ default: () => null }), // the server has stopped, which the notice of the connection says
  ),
)

export const toast = async (text: string, kind: 'info' | 'error' = 'info') => {
  used = true
  for (const listener of listeners) listener()
  const { toast: show } = await import('sonner').catch(() => ({ toast: undefined }))
  if (!show) return
  if (kind === 'error') show.error(text)
  else show(text)
}

export const toastError = (messages: Messages) => (error: unknown) =>
  void toast(`${messages.app.failed}: ${errorWords(error, messages)}`, 'error')

export const Toasts = () => {
  const { theme } = usePreferences()
  const wanted = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => used,
  )
  if (!wanted) return null
  return (
    <Suspense>
      <Toaster
        theme={theme}
        position="top-center"
        toastOptions={{ style: { background: 'var(--raised)', borderColor: 'var(--line-strong)', color: 'var(--ink)' } }}
      />
    </Suspense>
  )
}
