import { type ReactNode, useId } from 'react'
import type { StudioSettings } from '../../../../src/wire/studio-api.ts'

export type SaveSettings = (changes: Partial<StudioSettings>) => void

export const inputLook =
  'rounded-md border border-line-strong bg-raised px-2.5 text-[0.8125rem] outline-none placeholder:text-faint focus:border-accent aria-invalid:border-bad'

export const Section = ({ title, text, children }: { title: string; text?: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-x-8 gap-y-3 border-b py-5 last:border-b-0 md:grid-cols-[13rem_minmax(0,1fr)]">
      <div>
        <h2 id={id} className="font-medium">
          {title}
        </h2>
        {text === undefined ? null : <p className="mt-0.5 text-xs text-muted text-pretty">{text}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}

export const FieldError = ({ id, text }: { id: string; text: string | undefined }) => (
  <p id={id} role="alert" className="mt-1 text-xs text-bad empty:hidden">
    {text}
  </p>
)
