type Read = (attribute: string) => string | null

const dates: { readonly [type: string]: RegExp } = {
  date: /^\d{4,}-\d\d-\d\d$/,
  month: /^\d{4,}-\d\d$/,
  week: /^\d{4,}-W\d\d$/,
  time: /^\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/,
  'datetime-local': /^\d{4,}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/,
}

/** What an input holds when the page has just been read: https://html.spec.whatwg.org/multipage/input.html#value-sanitization-algorithm */
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
  const number = (name: string, otherwise: number) => {
    const said = read(name)
    return isNumber(said) ? Number(said) : otherwise
  }
  const least = number('min', 0)
  const most = number('max', 100)
  if (most < least) return least
  const step = number('step', 1)
  const wanted = isNumber(value) ? Number(value) : least + (most - least) / 2
  const held = Math.min(most, Math.max(least, wanted))
  if (read('step')?.toLowerCase() === 'any' || step <= 0) return held
  const stepped = least + Math.round((held - least) / step) * step
  // as many digits as the step has, and not those that binary fractions add
  return Number((stepped > most ? stepped - step : stepped).toPrecision(12))
}
