import { CircleAlert, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../messages/language.tsx'
import { Button } from './button.tsx'
import { errorWords } from './error-words.ts'

export const Spinner = ({ className = 'size-4' }: { className?: string }) => (
  <LoaderCircle className={`${className} animate-spin text-faint`} aria-hidden />
)

export const Loading = () => {
  const messages = useMessages()
  return (
    <div className="grid h-full place-items-center p-6" role="status">
      <span className="flex items-center gap-2 text-muted">
        <Spinner />
        {messages.app.loading}
      </span>
    </div>
  )
}

/** A screen or panel without content: an icon, what would be here, and what to do. */
export const Empty = ({ icon, title, text, children }: { icon: ReactNode; title: string; text?: string; children?: ReactNode }) => (
  <div className="grid h-full place-items-center p-6">
    <div className="flex max-w-sm flex-col items-center gap-2 text-center">
      <span className="mb-1 grid size-10 place-items-center rounded-xl border bg-surface text-faint [&_svg]:size-5">{icon}</span>
      <p className="font-medium">{title}</p>
      {text === undefined ? null : <p className="text-[0.8125rem] text-muted text-pretty">{text}</p>}
      {children}
    </div>
  </div>
)

export const Failed = ({ title, error, onRetry }: { title: string; error?: unknown; onRetry?: () => void }) => {
  const messages = useMessages()
  return (
    <div role="alert" className="h-full">
      <Empty icon={<CircleAlert />} title={title} text={error === undefined || error === null ? undefined : errorWords(error, messages)}>
        {onRetry === undefined ? null : (
          <Button className="mt-2" onClick={onRetry}>
            {messages.app.retry}
          </Button>
        )}
      </Empty>
    </div>
  )
}
