import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/language.tsx'
import { Button } from '../shell/button.tsx'
import { FieldError, inputLook, type SaveSettings, Section } from './section.tsx'
import { isModel } from './validation.ts'

export const ModelField = ({ model, save }: { model: string; save: SaveSettings }) => {
  const { settings: texts, nav } = useMessages()
  const id = useId()
  const [text, setText] = useState(model)
  const { data: info } = useQuery(api.info.queryOptions())
  const valid = isModel(text.trim())
  return (
    <Section title={texts.model} text={texts.modelText}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (valid) save({ model: text.trim() })
        }}
      >
        <label htmlFor={id} className="mb-1 block text-xs text-muted">
          {texts.modelLabel}
        </label>
        <div className="flex gap-2">
          <input
            id={id}
            value={text}
            list={`${id}-models`}
            spellCheck={false}
            autoComplete="off"
            aria-invalid={!valid}
            aria-describedby={`${id}-hint ${id}-error`}
            onChange={event => setText(event.target.value)}
            className={`h-8 min-w-0 flex-1 font-mono ${inputLook}`}
          />
          <datalist id={`${id}-models`}>
            <option value="auto" />
            <option value="rules" />
          </datalist>
          <Button type="submit" look="primary" disabled={!valid || text.trim() === model}>
            {nav.save}
          </Button>
        </div>
        <p id={`${id}-hint`} className="mt-1 text-xs text-faint">
          {texts.modelHint}
          {model === 'auto' && info !== undefined ? <span className="block">{texts.modelAuto(info.model.id)}</span> : null}
        </p>
        <FieldError id={`${id}-error`} text={valid ? undefined : texts.modelInvalid} />
      </form>
    </Section>
  )
}
