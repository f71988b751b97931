/** `auto`, `rules`, or a provider and a model. */
export const isModel = (text: string): boolean => text === 'auto' || text === 'rules' || /^[a-z0-9][\w.-]*\/[\w./:@-]+$/i.test(text)

/** A number of a limit; null if there is none, undefined if the text is not valid. */
export const limitOf = (text: string, whole: boolean): number | null | undefined => {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const value = Number(trimmed)
  if (!Number.isFinite(value) || value <= 0 || (whole && !Number.isInteger(value))) return undefined
  return value
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const host = new RegExp(`^(?:\\*\\.)?${label}(?:\\.${label})*(?::\\d{1,5})?$`, 'i')

/** The hosts in a text with one per line, and the first that is not one. */
export const hostsOf = (text: string): { hosts: readonly string[]; invalid?: string } => {
  const hosts = text
    .split(/[\n,]/)
    .map(each => each.trim().toLowerCase())
    .filter(each => each !== '')
  const invalid = hosts.find(each => !host.test(each))
  return invalid === undefined ? { hosts: [...new Set(hosts)] } : { hosts, invalid }
}
