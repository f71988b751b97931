import { useId, useState } from 'react'
import type { RunUsage, RunUsageLimits } from '../../../../src/wire/parts.ts'
import { useMessages } from '../messages/language.tsx'
import { Button } from '../shell/button.tsx'
import { usageKeys } from '../timeline/step-words.ts'
import { FieldError, inputLook, type SaveSettings, Section } from './section.tsx'
import { limitOf } from './validation.ts'

/** Time is stored in milliseconds and shown in minutes. */
const unit = (key: keyof RunUsage) => (key === 'timeMs' ? 60_000 : 1)
const isWhole = (key: keyof RunUsage) => key !== 'timeMs'

/** A limit of money needs the prices of models, which the studio does not know. */
const limitKeys = usageKeys.filter(key => key !== 'costUsd')

export const Limits = ({ limits, save }: { limits: RunUsageLimits; save: SaveSettings }) => {
  const { settings: texts, nav } = useMessages()
  const id = useId()
  const [typed, setTyped] = useState<{ readonly [key in keyof RunUsage]?: string }>({})
  const textOf = (key: keyof RunUsage) => typed[key] ?? (limits[key] === undefined ? '' : String(limits[key] / unit(key)))
  const values = limitKeys.map(key => [key, limitOf(textOf(key), isWhole(key))] as const)
  const valid = values.every(([, value]) => value !== undefined)
  return (
    <Section title={texts.limits} text={texts.limitsText}>
      <form
        className="flex flex-col gap-2"
        onSubmit={event => {
          event.preventDefault()
          if (!valid) return
          const set = values.flatMap(([key, value]) => (typeof value === 'number' ? [[key, value * unit(key)] as const] : []))
          save({ limits: Object.fromEntries(set) })
        }}
      >
        {values.map(([key, value]) => (
          <div key={key} className="grid items-center gap-x-3 sm:grid-cols-[1fr_9rem]">
            <label htmlFor={`${id}-${key}`} className="text-[0.8125rem]">
              {texts.limit[key]}
            </label>
            <input
              id={`${id}-${key}`}
              inputMode="decimal"
              value={textOf(key)}
              aria-invalid={value === undefined}
              aria-describedby={`${id}-${key}-error`}
              onChange={event => setTyped({ ...typed, [key]: event.target.value })}
              className={`h-8 w-full tabular ${inputLook}`}
            />
            <span className="sm:col-start-2">
              <FieldError
                id={`${id}-${key}-error`}
                text={value === undefined ? (isWhole(key) ? texts.whole : texts.positive) : undefined}
              />
            </span>
          </div>
        ))}
        <Button type="submit" look="primary" className="self-end" disabled={!valid || Object.keys(typed).length === 0}>
          {nav.save}
        </Button>
      </form>
    </Section>
  )
}
