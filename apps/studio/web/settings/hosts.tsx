import { useId, useState } from 'react'
import { useMessages } from '../messages/language.tsx'
import { Button } from '../shell/button.tsx'
import { FieldError, inputLook, type SaveSettings, Section } from './section.tsx'
import { hostsOf } from './validation.ts'

export const Hosts = ({ hosts, save }: { hosts: readonly string[]; save: SaveSettings }) => {
  const { settings: texts, nav } = useMessages()
  const id = useId()
  const stored = hosts.join('\n')
  const [text, setText] = useState(stored)
  const { hosts: next, invalid } = hostsOf(text)
  return (
    <Section title={texts.hosts} text={texts.hostsText}>
      <form
        className="flex flex-col gap-2"
        onSubmit={event => {
          event.preventDefault()
          if (invalid === undefined) save({ allowedHosts: next })
        }}
      >
        <textarea
          rows={3}
          value={text}
          spellCheck={false}
          aria-label={texts.hosts}
          aria-invalid={invalid !== undefined}
          aria-describedby={`${id}-error`}
          onChange={event => setText(event.target.value)}
          className={`w-full py-1.5 font-mono ${inputLook}`}
        />
        <div className="flex items-start justify-between gap-3">
          <FieldError id={`${id}-error`} text={invalid === undefined ? undefined : texts.hostsInvalid(invalid)} />
          <Button type="submit" look="primary" className="ml-auto" disabled={invalid !== undefined || next.join('\n') === stored}>
            {nav.save}
          </Button>
        </div>
      </form>
    </Section>
  )
}
