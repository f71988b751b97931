import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { messageOf } from '../../contract/error-message.ts'
import type { Failure } from '../../contract/failures.ts'
import { minChars } from '../../contract/limits.ts'
import { buildDocument } from '../../html/document.ts'
import { defaults, type SnapshotOptions } from '../../html/options.ts'
import { queryRef } from '../../html/query.ts'
import { type ReadOptions, read } from '../../html/read.ts'
import { type SnapshotResult, snapshot } from '../../html/snapshot.ts'
import { decode } from './decode.ts'
import { htmlFlags, withFlags } from './notes.ts'
import { reasonOf } from './reason.ts'

export const htmlHelp = `pagehand html FILE|-   a page from a file or standard input (-), within a budget

  --max-chars N       at most N characters: 200 to 100000, default 12000; of --query and --read from 1, default 4000
  --all               text, headings and tables too, not only what can be operated
  --json              the whole result as JSON

  --format FORMAT     lines (default), tree, flat or json; of --read markdown (default) or text
  --max-nodes N       at most N lines, default 200
  --scope SELECTOR    only this part: a CSS selector or a ref
  --after REF         go on after this ref

  --query REF         one element instead of the page
  --kind KIND         what of it: text (default), attr or outer_html

  --read              the main text as Markdown, in pages
  --offset N          where to go on reading

Exit codes: 0 done, 1 the page or the file did not give it, 2 wrong use. Standard error says why, and where a text goes on.
`

const options = {
  format: { type: 'string' },
  'max-chars': { type: 'string' },
  'max-nodes': { type: 'string' },
  all: { type: 'boolean' },
  scope: { type: 'string' },
  after: { type: 'string' },
  query: { type: 'string' },
  kind: { type: 'string' },
  read: { type: 'boolean' },
  offset: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type Asked = ReturnType<typeof parse>['values']

/** what can be asked for, and the options that mean something there: one that is passed over in silence would be taken for done */
const takes = {
  page: ['format', 'max-chars', 'max-nodes', 'all', 'scope', 'after', 'json'],
  query: ['query', 'kind', 'max-chars', 'all', 'scope', 'after', 'json'],
  read: ['read', 'offset', 'format', 'max-chars', 'all', 'json'],
} as const

export async function html(given: readonly string[]): Promise<number> {
  let asked: ReturnType<typeof parse>
  try {
    asked = parse(given)
  } catch (error) {
    // what follows the first sentence is about words that begin with a dash
    return wrongUse(messageOf(error).split(/\.\s/)[0] ?? '')
  }
  const { values, positionals } = asked
  if (values.help) return say(htmlHelp)
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) return wrongUse('name one file, or - for standard input')
  const what = values.read ? 'read' : values.query === undefined ? 'page' : 'query'
  const idle = Object.keys(values).find(option => !(takes[what] as readonly string[]).includes(option))
  if (idle !== undefined)
    return wrongUse(`--${idle} means nothing ${what === 'page' ? `without --${idle === 'kind' ? 'query' : 'read'}` : `with --${what}`}`)
  const source = await sourceOf(file)
  return source.ok ? answers[what](source.text, values) : refuse(source.why)
}

const parse = (given: readonly string[]) => parseArgs({ args: [...given], options, allowPositionals: true })

async function sourceOf(file: string): Promise<{ ok: true; text: string } | { ok: false; why: string }> {
  try {
    if (file !== '-') return { ok: true, text: decode(await readFile(file)) }
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
    return { ok: true, text: decode(Buffer.concat(chunks)) }
  } catch (error) {
    const what = file === '-' ? 'standard input' : file
    return { ok: false, why: `cannot read ${what}: ${reasonOf(error)}. Name a file of HTML, or - for standard input.` }
  }
}

const answers: { readonly [what in keyof typeof takes]: (source: string, asked: Asked) => Promise<number> | number } = {
  page: (source, asked) => {
    const document = buildDocument(source)
    const limits = { ...numbering(asked), outputFormat: asked.format, maxNodes: number(asked['max-nodes']) }
    const look = (maxCharsTotal: number | undefined) => snapshot(document, { ...limits, maxCharsTotal } as SnapshotOptions)
    const most = number(asked['max-chars'])
    const page = look(most)
    const isText = !page.error && !asked.json && asked.format !== 'json'
    return print(page, {
      text: isText ? flagged(page.snapshotText, { most: most ?? defaults.maxCharsTotal, look }) : page.snapshotText,
      asked,
    })
  },
  query: (source, asked) => {
    const found = queryRef(source, asked.query ?? '', asked.kind ?? 'text', number(asked['max-chars']), numbering(asked))
    return print(found, { text: found.value, asked, more: found.truncated ? 'a larger --max-chars shows it' : '' })
  },
  read: (source, asked) => {
    const limits = { limitChars: number(asked['max-chars']), offset: number(asked.offset), format: asked.format }
    const page = read(buildDocument(source, numbering(asked)), limits as ReadOptions)
    return print(page, { text: page.text, asked, more: page.nextOffset === null ? '' : `go on with --offset ${page.nextOffset}` })
  },
}

/** Flags may be longer than the options that the text was measured with: it gives way to them, as long as there is room for any. */
function flagged(whole: string, { most, look }: { most: number; look: (most: number) => SnapshotResult }): string {
  let text = withFlags(whole, htmlFlags)
  for (let room = most; text.length > most; text = withFlags(look(room).snapshotText, htmlFlags)) {
    room -= text.length - most
    if (room < minChars) return whole
  }
  return text
}

const number = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value))
/** the options on which refs depend */
const numbering = ({ all, scope, after }: Asked) =>
  ({ interactiveOnly: all ? false : undefined, scopeSelector: scope, after }) as SnapshotOptions

function print(
  result: { readonly error?: Failure },
  { text, asked: { json }, more = '' }: { text: string; asked: Asked; more?: string },
): Promise<number> | number {
  const { error } = result
  const code = error ? (/^(invalid|unsupported)_/.test(error.code) ? 2 : 1) : 0
  if (json) return say(`${JSON.stringify(result, (_, value) => (value instanceof Map ? Object.fromEntries(value) : value), 2)}\n`, code)
  if (error) return refuse(`${error.code}: ${error.message.replace(/^\w+(?= must be)/, flagOf)} ${error.hint}`, code)
  // not into the text: whoever parses it, or puts pages of it together, wants it as it is
  if (more) process.stderr.write(`pagehand html: there is more: ${more}\n`)
  return say(`${text}\n`)
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

/** resolves when the pipe has taken it, so that a slow reader gets all of it */
const say = (text: string, code = 0): Promise<number> =>
  new Promise(done => {
    process.stdout.write(text, () => done(code))
  })

function refuse(why: string, code = 1): number {
  process.stderr.write(`pagehand html: ${why}\n`)
  return code
}

const wrongUse = (why: string): number => refuse(`${why}. Run: pagehand help html`, 2)
