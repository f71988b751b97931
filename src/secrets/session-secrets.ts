import { say, term } from '../contract/message.ts'
import { redacted } from '../contract/page-api.ts'
import { setRedaction } from '../contract/redacted-again.ts'
import type { ActionData, CommandData } from '../contract/results.ts'
import { type AnyCommand, fail, type Layer, type Result } from '../contract/run.ts'
import { parseUrl } from '../policy/parse-url.ts'
import { isOrdinaryWord, isPlain, ShownWords } from './ordinary-words.ts'
import { Scrubber } from './scrubber.ts'
import { createLeakTest } from './url-leak.ts'

/** A value that the script in a page found in a secret field. */
export interface SecretSighting {
  readonly value: string
  /** identifies the field and its document */
  readonly field: string
  readonly origin: string
  /** it was entered by trusted input, so the page did not make it up */
  readonly isTyped?: boolean
}

/** a page could make up any number of secret fields */
const maxSeen = 1_000
const maxValue = 20_000

/** The secrets of one session: what was typed into secret fields or found there, and the named secrets that were used. Never stored. */
export class SessionSecrets {
  readonly scrubber = new Scrubber()
  /** the origins where a value belongs */
  readonly #origins = new Map<string, Set<string>>()
  /** the last value of each field */
  readonly #current = new Map<string, string>()
  /** words of the commands that are running */
  readonly #typing: string[] = []
  /** what stood on pages before */
  readonly #shown = new ShownWords()
  #seen = 0

  /** Adds named secrets, which are secret whatever they look like; `origins` are the places that may get to know them. */
  add(values: readonly string[], origins: readonly string[] = []): void {
    this.#add(values, origins, () => false)
  }

  /** Adds what a model has entered, and so knows: text that stood on a page before cannot be the secret that is entered now. */
  #addTyped(values: readonly string[], origin: string): void {
    this.#add(values, [origin], value => isOrdinaryWord(value) || (isPlain(value) && this.#shown.has(value)))
  }

  #add(values: readonly string[], origins: readonly string[], isOrdinary: (value: string) => boolean): void {
    const known = values.filter(value => value !== '' && value.length <= maxValue)
    this.scrubber.add(known, isOrdinary)
    for (const value of known) this.#origins.set(value, new Set([...(this.#origins.get(value) ?? []), ...origins]))
  }

  /** Adds the value of a secret field, unless it is one that ordinary text may have too. */
  see({ value, field, origin, isTyped: isTrusted = false }: SecretSighting): void {
    const before = this.#current.get(field)
    this.#current.set(field, value)
    const isTypedByModel = this.#typing.some(words => value.includes(words) || words.includes(value))
    if (!isTrusted && !isTypedByModel && (!isUnusual(value) || this.#seen++ >= maxSeen)) return
    // while a value is being typed, its prefixes are not separate secrets
    if (before !== undefined && before !== value && value.startsWith(before)) this.#forget(before)
    if (isTypedByModel) this.#addTyped([value], origin)
    // a page decides what it shows, so that does not make the secret of a person ordinary
    else this.#add([value], [origin], isOrdinaryWord)
  }

  /** Whether a URL of another origin contains a secret. */
  isLeakedBy(url: string): boolean {
    if (this.#origins.size === 0) return false
    const origin = originOf(url)
    const isLeaked = createLeakTest(url)
    for (const [value, origins] of this.#origins) if ((origin === '' || !origins.has(origin)) && isLeaked(value)) return true
    return false
  }

  /** Redacts the results of every command, and refuses URLs that carry a secret to another origin (TRUST A4 E4). */
  readonly layer: Layer = next => async (command, signal) => {
    const url = urlOf(command)
    if (url !== undefined && this.isLeakedBy(url))
      return fail('secret_in_url', say`${term(command.name)} was not run: the URL would carry a secret of this session to another origin.`)
    const words = typedWords(command)
    this.#typing.push(...words)
    try {
      const result = await next(command, signal)
      if (hidesValue(result)) this.#addTyped(words, originOf(pageUrl(result)))
      const scrubbed = this.scrub(usesSecret(command) ? withoutLength(result) : result)
      if (command.name === 'snapshot' && result.ok) this.#keepComparable(scrubbed, result)
      if (!usesSecret(command) && words.length === 0) this.#shown.add(scrubbed)
      return scrubbed
    } finally {
      for (const word of words) this.#typing.splice(this.#typing.indexOf(word), 1)
    }
  }

  scrub<T>(result: T): T {
    return this.scrubber.value(result) as T
  }

  #keepComparable(scrubbed: Result, original: Result): void {
    if (!scrubbed.ok || !original.ok) return
    const snapshot = original.data as CommandData['snapshot']
    const { version } = this.scrubber
    const { tree, refs, meta } = scrubbed.data as CommandData['snapshot']
    setRedaction(scrubbed.data as CommandData['snapshot'], () =>
      this.scrubber.version === version
        ? { tree, refs, meta }
        : this.scrub({ tree: snapshot.tree, refs: snapshot.refs, meta: snapshot.meta }),
    )
  }

  #forget(value: string): void {
    this.#origins.delete(value)
    this.scrubber.delete(value)
  }
}

/** A planted value such as "Amount" would redact that word everywhere, so a value that was not typed in this session has to be unusual. */
const isUnusual = (value: string): boolean => value.length >= 12 || (value.length >= 6 && /[^\p{L}\s]/u.test(value))

const originOf = (url: string): string => {
  const parsed = parseUrl(url)
  return parsed?.host ? `${parsed.protocol}//${parsed.host}` : ''
}

const urlOf = ({ name, url }: AnyCommand): string | undefined =>
  (name === 'open' || name === 'tabs') && typeof url === 'string' ? url : undefined

const typedWords = ({ name, value, text, key }: AnyCommand): string[] => {
  const words = name === 'fill' ? value : name === 'type' ? text : name === 'press' ? key : undefined
  return typeof words === 'string' && words !== '' && !usesSecret({ name, text: words }) ? [words.replace(/[\r\n]+$/, '')] : []
}

const usesSecret = ({ value, text }: AnyCommand): boolean => [value, text].some(words => /\{\{\s*secret:/.test(String(words)))

/** A model that names a secret does not know how long it is, and must not learn it. */
function withoutLength(result: Result): Result {
  if (!result.ok) {
    const { page, ...error } = result.error
    const { value: _, ...rest } = page ?? {}
    return { ok: false, error: { ...error, ...(page && { page: rest }) } }
  }
  const data = result.data as Partial<ActionData> | null
  if (data?.effect?.characters === undefined) return result
  const { characters: _, ...effect } = data.effect
  return { ok: true, data: { ...data, effect } }
}

const hidesValue = (result: Result): boolean => result.ok && (result.data as Partial<ActionData> | null)?.effect?.value === redacted
const pageUrl = (result: Result): string => (result.ok ? ((result.data as Partial<ActionData> | null)?.page?.url ?? '') : '')
