import { useId } from 'react'

interface ChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly (readonly [T, string])[]
  onChange: (value: T) => void
}

/** One of a few: radio buttons that look like one control. */
export const Choice = <T extends string>({ label, value, options, onChange }: ChoiceProps<T>) => {
  const name = useId()
  return (
    <fieldset className="inline-flex rounded-md border border-line-strong bg-raised p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map(([each, text]) => (
        <label
          key={each}
          className="cursor-pointer rounded px-2.5 py-0.5 text-xs text-muted has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent-strong has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input type="radio" name={name} value={each} checked={each === value} onChange={() => onChange(each)} className="sr-only" />
          {text}
        </label>
      ))}
    </fieldset>
  )
}
