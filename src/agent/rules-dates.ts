const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
const monthPattern = months.map(month => `${month.slice(0, 3)}(?:${month.slice(3)})?`).join('|')

const iso = (year: string | number, month: string | number, day: string | number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

const monthNumber = (word: string): number => months.findIndex(month => month.startsWith(word.slice(0, 3).toLowerCase())) + 1

/**
 * A date in words or figures as YYYY-MM-DD; undefined if the text has none.
 *
 * @example
 * parseDate('24 December 2026') // '2026-12-24'
 */
export function parseDate(text: string): string | undefined {
  const plain = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/.exec(text) ?? /(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日?/.exec(text)
  if (plain) return iso(plain[1] as string, plain[2] as string, plain[3] as string)
  const dotted = /\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b/.exec(text)
  if (dotted) return iso(dotted[3] as string, dotted[2] as string, dotted[1] as string)
  const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?(${monthPattern})\\.?,?\\s+(\\d{4})\\b`, 'i').exec(text)
  if (dayFirst) return iso(dayFirst[3] as string, monthNumber(dayFirst[2] as string), dayFirst[1] as string)
  const monthFirst = new RegExp(`\\b(${monthPattern})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\b`, 'i').exec(text)
  return monthFirst ? iso(monthFirst[3] as string, monthNumber(monthFirst[1] as string), monthFirst[2] as string) : undefined
}

/**
 * The month that a calendar shows, as the number of months since year 0; undefined if the text names none.
 *
 * @example
 * parseMonth('December 2026') === parseMonth('2026-12')
 */
export function parseMonth(text: string): number | undefined {
  const named = new RegExp(`\\b(${monthPattern})\\.?,?\\s+(\\d{4})\\b`, 'i').exec(text)
  if (named) return Number(named[2]) * 12 + monthNumber(named[1] as string) - 1
  const numbered = /\b(\d{4})[-/](\d{1,2})\b/.exec(text) ?? /(\d{4})\s*年\s*(\d{1,2})\s*月/.exec(text)
  return numbered ? Number(numbered[1]) * 12 + Number(numbered[2]) - 1 : undefined
}

/** Whether a name is that of a day in a calendar: the number alone, or the date in any form. */
export function namesDay(name: string, date: string): boolean {
  const [, , day = ''] = date.split('-')
  return name.trim() === String(Number(day)) || parseDate(name) === date
}
