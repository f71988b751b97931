import type { Language } from '../messages/language.tsx'

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** A time as distance from now, such as: 5 min. ago. */
export const ago = (at: string, language: Language, now = Date.now()): string => {
  const seconds = (Date.parse(at) - now) / 1_000
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  for (const [unit, size] of steps) if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit)
  return format.format(0, 'second')
}

export const clockTime = (at: string, language: Language): string =>
  new Date(at).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' })
