import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { buildDocument } from '../../html/document.ts'
import type { SnapshotOptions } from '../../html/options.ts'
import { query } from '../../html/query.ts'
import { read } from '../../html/read.ts'
import { snapshot } from '../../html/snapshot.ts'

export const htmlHelp = `pagehand html FILE|-   a page from a file or standard input (-), within a budget

  --format FORMAT     lines (default), tree, flat or json
  --max-chars N       at most N characters: 200 to 100000, default 12000; of --read and --query default 4000
  --max-nodes N       at most N lines, default 200
  --all               text, headings and tables too, not only what can be operated
  --scope SELECTOR    only this part: a CSS selector or a ref
  --after REF         go on after this ref
  --query REF         one element instead of the page
  --kind KIND         what of it: text (default), attr or outer_html
  --read              the main text as Markdown, in pages
  --offset N          where to go on reading
  --json              the whole result as JSON

Exit codes: 0 done, 1 the page or the file did not give it (standard error says why), 2 wrong use.
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

export async function html(given: readonly string[]): Promise<number> {
  let asked: ReturnType<typeof parse>
  try {
    asked = parse(given)
  } catch (error) {
    return wrongUse(error instanceof Error ? error.message : String(error))
  }
  const { values, positionals } = asked
  if (values.help) return say(htmlHelp)
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) return wrongUse('name one file, or - for standard input.')
  const source = await sourceOf(file)
  return source.ok ? answer(source.text, values) : refuse(source.why)
}

const parse = (given: readonly string[]) => parseArgs({ args: [...given], options, allowPositionals: true })

async function sourceOf(file: string): Promise<{ ok: true; text: string } | { ok: false; why: string }> {
  try {
    if (file !== '-') return { ok: true, text: await readFile(file, 'utf8') }
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
    return { ok: true, text: Buffer.concat(chunks).toString('utf8') }
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) }
  }
}

function answer(source: string, asked: Asked): Promise<number> | number {
  const maxChars = asked['max-chars'] === undefined ? undefined : Number(asked['max-chars'])
  const document = buildDocument(source, snapshotOptions(asked))
  if (asked.read) {
    const page = read(document, {
      ...(maxChars !== undefined && { limitChars: maxChars }),
      ...(asked.offset !== undefined && { offset: Number(asked.offset) }),
    })
    return print(page, page.nextOffset === null ? page.text : `${page.text}\n… more: --offset ${page.nextOffset}`, asked)
  }
  const page = snapshot(document)
  if (asked.query === undefined) return print(page, page.snapshotText, asked)
  const found = query(document, asked.query, asked.kind ?? 'text', maxChars)
  return print(found, found.truncated ? `${found.value}\n… cut: --max-chars` : found.value, asked)
}

function snapshotOptions(asked: Asked): SnapshotOptions {
  const number = (value: string | undefined) => (value === undefined ? undefined : Number(value))
  const forPage = asked.query === undefined && !asked.read
  const given = {
    outputFormat: asked.format,
    maxCharsTotal: forPage ? number(asked['max-chars']) : undefined,
    maxNodes: number(asked['max-nodes']),
    interactiveOnly: asked.all ? false : undefined,
    scopeSelector: asked.scope,
    after: asked.after,
  }
  return given as SnapshotOptions
}

function print(
  result: { readonly error?: { code: string; message: string; hint: string } },
  text: string,
  { json }: Asked,
): Promise<number> | number {
  if (json)
    return say(
      `${JSON.stringify(result, (_, value) => (value instanceof Map ? Object.fromEntries(value) : value), 2)}\n`,
      result.error ? 1 : 0,
    )
  if (result.error) return refuse(`${result.error.code}: ${result.error.message} ${result.error.hint}`)
  return say(`${text}\n`)
}

/** resolves when the pipe has taken it, so that a slow reader gets all of it */
const say = (text: string, code = 0): Promise<number> =>
  new Promise(done => {
    process.stdout.write(text, () => done(code))
  })

function refuse(why: string): number {
  process.stderr.write(`pagehand html: ${why}\n`)
  return 1
}

function wrongUse(why: string): number {
  process.stderr.write(`pagehand html: ${why} Run: pagehand help html\n`)
  return 2
}
