type Read = (attribute: string) => string | null

const dates: { readonly [type: string]: RegExp } = {
  date: /^\d{4,}-\d\d-\d\d$/,
  month: /^\d{4,}-\d\d$/,
  week: /^\d{4,}-W\d\d$/,
  time: /^\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/,
  'datetime-local': /^\d{4,}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/,
}

/** The value of an input after the page was parsed: https://html.spec.whatwg.org/multipage/input.html#value-sanitization-algorithm */
export function valueOfInput(read: Read): string {
  const value = read('value') ?? ''
  const type = (read('type') ?? '').toLowerCase()
  if (type === 'file') return ''
  if (type === 'range') return String(inRange(read, value))
  if (type === 'color') return /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : '#000000'
  if (type === 'number') return isNumber(value) ? value : ''
  const date = Object.hasOwn(dates, type) ? dates[type] : undefined
  return date && !date.test(value) ? '' : value
}

const isNumber = (text: string | null): text is string => text !== null && /^-?(\d+(\.\d+)?|\.\d+)(e[-+]?\d+)?$/i.test(text)

function inRange(read: Read, value: string): number {
  const number = (name: string, fallback: number) => {
    const text = read(name)
    return isNumber(text) ? Number(text) : fallback
  }
  const min = number('min', 0)
  const max = number('max', 100)
  if (max < min) return min
  const step = number('step', 1)
  const initial = isNumber(value) ? Number(value) : min + (max - min) / 2
  const clamped = Math.min(max, Math.max(min, initial))
  if (read('step')?.toLowerCase() === 'any' || step <= 0) return clamped
  const rounded = min + Math.round((clamped - min) / step) * step
  // removes the digits that binary fractions add
  return Number((rounded > max ? rounded - step : rounded).toPrecision(12))
}
