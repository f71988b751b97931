import { readFile } from 'node:fs/promises'
import type { Failure } from '../../contract/failures.ts'
import { toSentence } from '../../contract/text.ts'
import { buildDocument, type SnapshotDocument } from '../../html/document.ts'
import type { SnapshotOptions } from '../../html/options.ts'
import { query } from '../../html/query.ts'
import { type ReadOptions, read } from '../../html/read.ts'
import { snapshotInDialect } from '../../html/snapshot.ts'
import { rendererDialect } from '../../render/text/dialect.ts'
import { columns, optionRows } from '../flags/option-help.ts'
import { kebab, type OptionSpecs } from '../flags/option-spec.ts'
import { type OptionValues, parseOptions } from '../flags/parse-options.ts'
import { stderr, stdout } from '../terminal.ts'
import { decode } from './decode.ts'
import { htmlDialect } from './dialect.ts'
import { reasonOf } from './reason.ts'

const options = {
  maxChars: {
    type: 'integer',
    description: 'maximum number of characters, from 200 (default: 12000); with --query or --read from 1 (default: 4000)',
  },
  all: { type: 'boolean', description: 'include text, headings and tables, not only controls' },
  json: { type: 'boolean', description: 'print the whole result as JSON' },
  format: { type: 'string', value: 'FORMAT', description: 'lines (default), tree, flat or json; with --read markdown (default) or text' },
  maxNodes: { type: 'integer', description: 'maximum number of lines (default: 200)' },
  scope: { type: 'string', value: 'SELECTOR', description: 'only this part of the page: a CSS selector or a ref' },
  after: { type: 'string', value: 'REF', description: 'continue after this ref' },
  query: { type: 'string', value: 'REF', description: 'read one element instead of the page' },
  kind: { type: 'string', value: 'KIND', description: 'with --query: text (default), attr or outer_html' },
  read: { type: 'boolean', description: 'read the main text as Markdown, in pages' },
  offset: { type: 'integer', description: 'with --read: continue at this character (default: 0)' },
} as const satisfies OptionSpecs

export const htmlHelp = (): string => `pagehand html FILE|-   Read a page from a file or standard input (-), within a budget

${columns(optionRows(options)).join('\n')}

Exit codes: 0 success, 1 the file or the page cannot be read, 2 usage error. Standard error says why, and how to continue a long text.
`

/** The options that each mode uses. Any other option is an error: if it were ignored silently, it would seem to have worked. */
const modes: { readonly [mode in 'page' | 'query' | 'read']: readonly (keyof typeof options)[] } = {
  page: ['format', 'maxChars', 'maxNodes', 'all', 'scope', 'after', 'json'],
  query: ['query', 'kind', 'maxChars', 'all', 'scope', 'after', 'json'],
  read: ['read', 'offset', 'format', 'maxChars', 'all', 'json'],
}

/** `pagehand html` */
export async function html(words: readonly string[]): Promise<number> {
  const parsed = parseOptions(words, options)
  if (!parsed.ok) return usageError(parsed.why)
  const [file, ...others] = parsed.positionals
  if (file === undefined || others.length > 0) return usageError('name one file, or - for standard input')
  const values = valuesOf(parsed.options)
  const mode = values.read ? 'read' : values.query === undefined ? 'page' : 'query'
  const unused = Object.keys(parsed.options).find(option => !(modes[mode] as readonly string[]).includes(option))
  if (unused !== undefined) {
    const needed = unused === 'kind' ? '--query' : '--read'
    return usageError(mode === 'page' ? `--${kebab(unused)} needs ${needed}` : `--${kebab(unused)} cannot be used with --${mode}`)
  }
  const source = await readSource(file)
  return source.ok ? answers[mode](source.text, values) : printError(source.why)
}

type Values = ReturnType<typeof valuesOf>

/** An invalid number becomes NaN, and the library reports which option is wrong. */
function valuesOf(given: OptionValues) {
  const text = (option: keyof typeof options) => (given[option] === undefined ? undefined : String(given[option]))
  const number = (option: keyof typeof options) => (given[option] === undefined ? undefined : Number(given[option]))
  return {
    all: given.all === true,
    json: given.json === true,
    read: given.read === true,
    format: text('format'),
    scope: text('scope'),
    after: text('after'),
    query: text('query'),
    kind: text('kind'),
    maxChars: number('maxChars'),
    maxNodes: number('maxNodes'),
    offset: number('offset'),
  }
}

async function readSource(file: string): Promise<{ ok: true; text: string } | { ok: false; why: string }> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(file))
    return {
      ok: false,
      why: `${file} is a URL, and this command reads files. Run: pagehand open ${file}; or: curl -sL ${file} | pagehand html -`,
    }
  try {
    if (file !== '-') return { ok: true, text: decode(await readFile(file)) }
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
    return { ok: true, text: decode(Buffer.concat(chunks)) }
  } catch (error) {
    const name = file === '-' ? 'standard input' : file
    return { ok: false, why: `cannot read ${name}: ${reasonOf(error)}. Name an HTML file, or - for standard input.` }
  }
}

const answers: { readonly [mode in keyof typeof modes]: (source: string, values: Values) => Promise<number> | number } = {
  page: (source, values) => {
    const document = documentOf(source, values)
    const { json, format: outputFormat, maxNodes, maxChars: maxCharsTotal } = values
    const options = { outputFormat, maxNodes, maxCharsTotal } as SnapshotOptions
    const page = snapshotInDialect(document, options, json ? rendererDialect : htmlDialect)
    return print(page, { text: page.snapshotText, json })
  },
  query: (source, values) => {
    const { json, maxChars } = values
    const found = query(documentOf(source, values), values.query ?? '', values.kind ?? 'text', maxChars)
    return print(found, { text: found.value, json, more: found.truncated ? 'use a larger --max-chars' : '' })
  },
  read: (source, values) => {
    const { json, maxChars, offset, format } = values
    const page = read(documentOf(source, values), { limitChars: maxChars, offset, format } as ReadOptions)
    return print(page, { text: page.text, json, more: page.nextOffset === null ? '' : `continue with --offset ${page.nextOffset}` })
  },
}

/** The parsed page with the options that refs depend on. Its error messages name flags, except in JSON, which has the library's names. */
function documentOf(source: string, { all, scope, after, json }: Values): SnapshotDocument {
  const options = { interactiveOnly: all ? false : undefined, scopeSelector: scope, after } as SnapshotOptions
  return { ...buildDocument(source, options), ...(!json && { spell: flagOf }) }
}

function print(
  result: { readonly error?: Failure },
  { text, json, more = '' }: { text: string; json: boolean; more?: string },
): Promise<number> | number {
  const { error } = result
  const code = error ? (/^(invalid|unsupported)_/.test(error.code) ? 2 : 1) : 0
  if (json) return write(`${JSON.stringify(result, (_, value) => (value instanceof Map ? Object.fromEntries(value) : value), 2)}\n`, code)
  if (error) return printError(`${error.code}: ${error.message} ${error.hint}`, code)
  // not on standard output: callers that parse the text, or join pages of it, need it unchanged
  if (more) stderr.write(`pagehand html: there is more: ${more}\n`)
  return write(`${text}\n`)
}

const flags: { readonly [option: string]: string } = {
  maxCharsTotal: '--max-chars',
  limitChars: '--max-chars',
  maxNodes: '--max-nodes',
  outputFormat: '--format',
  format: '--format',
  offset: '--offset',
  scopeSelector: '--scope',
  after: '--after',
}
const flagOf = (option: string): string => flags[option] ?? option

/** Resolves once everything is written: a slow reader of the pipe gets all of it. */
const write = (text: string, code = 0): Promise<number> =>
  new Promise(done => {
    stdout.write(text, () => done(code))
  })

function printError(why: string, code = 1): number {
  stderr.write(`pagehand html: ${why}\n`)
  return code
}

const usageError = (why: string): number => printError(`${toSentence(why)} Run: pagehand help html`, 2)
