// Prints figures about the source that anyone can compare with earlier ones: sizes of files and functions, share of comments,
// type names without a noun, and wording that the style guide in CONTRIBUTING.md replaces. It judges nothing and always exits with 0.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const longFunction = 95

/** Wording that reads as a translation. Each entry has an idiomatic replacement in CONTRIBUTING.md. */
const wording = [
  /\bis (told|none)\b/,
  /\bare told\b/,
  /\bis no [a-z]+ (any more|at all)\b/,
  /\bunless given\b/,
  /\b(of ours|of its own|of their own|of one's own)\b/,
  /\b(somebody|nobody|anybody|whoever)\b/i,
  /\b(at rest|comes? to rest|came to rest)\b/,
  /\bstands? (for|in|still|there|beside|between|before|behind|on)\b/,
  /\blikewise\b/i,
  /\bmeanwhile\b/i,
  /(^|[.;:] )(What|Who|Where|Whatever) [a-z' ]+ (is|are|was|were|has|have|can|may|must|gets|goes|comes)\b/,
  /\blooks? (at|for)\b.*\b(again and again|once more)\b/,
]

const filesIn = folder =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .filter(file => /\.(ts|tsx|mjs)$/.test(file) && !/node_modules|fixtures|\.d\.ts$/.test(file))
    .map(file => `${folder}/${file}`)

const read = file => readFileSync(`${root}${file}`, 'utf8').split('\n')
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
const spread = numbers => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return [at(sorted, 0.5), at(sorted, 0.9), at(sorted, 1)].join(' / ')
}

/** Functions by their indentation: the formatter closes each at the column where its first line begins. */
function functionsIn(lines) {
  return lines.flatMap((line, start) => {
    const isFunction = /(=>|\)(: [^=]+)?) \{$/.test(line) && !/^\s*(if|for|while|switch|else|} else|catch|describe|test)\b/.test(line)
    if (!isFunction) return []
    const indent = /^ */.exec(line)[0]
    const length = lines.slice(start).findIndex((each, index) => index > 0 && each.startsWith(`${indent}}`))
    return length > 0 ? [{ start: start + 1, length: length + 1 }] : []
  })
}

const isComment = line => /^\s*(\/\/|\/\*|\*)/.test(line)
const participle = /^(?:export )?(?:interface|type) ([A-Z][a-z]+(?:ing|ed|wn)|Found|Held|Told|Made|Kept|Left|Taken|Chosen|Written|Spoken)\b/

const rows = new Map()
const long = []
const types = []
for (const file of filesIn('src')) {
  if (/script\.js$/.test(file)) continue
  const parts = file.split('/')
  const room = parts.length > 2 ? parts.slice(0, parts[1] === 'drivers' ? 3 : 2).join('/') : 'entries'
  const lines = read(file)
  const functions = functionsIn(lines)
  const row = rows.get(room) ?? { files: [], functions: [], comments: 0 }
  rows.set(room, row)
  row.files.push(lines.length)
  row.functions.push(...functions.map(({ length }) => length))
  row.comments += lines.filter(isComment).length
  long.push(...functions.filter(({ length }) => length > longFunction).map(({ start, length }) => `${file}:${start} ${length} lines`))
  types.push(...lines.flatMap((line, index) => (participle.test(line) ? [`${file}:${index + 1} ${participle.exec(line)[1]}`] : [])))
}

console.log('| room | files | lines | file median / p90 / max | multi-line function median / p90 / max | comment lines |')
console.log('|---|--:|--:|---|---|--:|')
for (const [room, { files, functions, comments }] of [...rows].sort()) {
  const lines = files.reduce((sum, each) => sum + each, 0)
  console.log(
    `| ${room} | ${files.length} | ${lines} | ${spread(files)} | ${spread(functions)} | ${((comments / lines) * 100).toFixed(1)} % |`,
  )
}
console.log(`\nFunctions over ${longFunction} lines: ${long.length}`)
for (const each of long) console.log(`  ${each}`)
console.log(`\nTypes named by a participle or gerund alone: ${types.length}`)
for (const each of types) console.log(`  ${each}`)

/** where people read: strings and comments of the source, titles of tests, documents */
const texts = [
  [
    'strings in src',
    filesIn('src'),
    line => !isComment(line) && /['"`]/.test(line) && (line.match(/(['"`])(?:(?!\1).){12,}\1/g) ?? []).join(' '),
  ],
  ['comments in src', filesIn('src'), line => isComment(line) && line],
  ['test titles', [...filesIn('test'), ...filesIn('apps-tests')], line => /^\s*(test|it|describe)\b/.test(line) && line],
  [
    'documents',
    ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...readdirSync(`${root}docs`).map(file => `docs/${file}`)].filter(file =>
      file.endsWith('.md'),
    ),
    line => line,
  ],
]
const listed = process.argv.includes('--list')
console.log('\nWording to replace (run with --list to see each line):')
for (const [name, files, pick] of texts) {
  const found = files.flatMap(file =>
    read(file).flatMap((line, index) => {
      const text = pick(line)
      return text && wording.some(pattern => pattern.test(text)) ? [`${file}:${index + 1} ${line.trim().slice(0, 160)}`] : []
    }),
  )
  console.log(`  ${name}: ${found.length}`)
  if (listed) for (const each of found) console.log(`    ${each}`)
}
