import { KeyRound } from 'lucide-react'
import { useMessages } from '../messages/language.tsx'
import { Mark } from './mark.tsx'

export const NeedLink = () => {
  const { connection: texts, app } = useMessages()
  const [look, open, restart] = texts.unauthorizedSteps
  return (
    <main className="grid h-full place-items-center overflow-auto p-6">
      <div className="w-full max-w-md rounded-xl border bg-surface p-6 shadow-card">
        <p className="mb-5 flex items-center gap-2 text-muted">
          <Mark /> {app.name}
        </p>
        <h1 className="flex items-center gap-2 text-lg font-semibold">
          <KeyRound className="size-5 text-accent" aria-hidden />
          {texts.unauthorizedTitle}
        </h1>
        <p className="mt-2 text-muted text-pretty">{texts.unauthorizedText}</p>
        <ol className="mt-4 flex list-decimal flex-col gap-2 pl-5 marker:text-faint">
          <li>{look}</li>
          <li>{open}</li>
          <li>
            {restart}
            <pre className="mt-1.5 rounded-md bg-sunken px-3 py-2 font-mono text-xs">pagehand studio</pre>
          </li>
        </ol>
      </div>
    </main>
  )
}
