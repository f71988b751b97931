// Builds the page of the studio and prints what the first paint loads.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const maxFirstPaint = 250_000

const configFile = fileURLToPath(new URL('../apps/studio/vite.config.ts', import.meta.url))
const folder = fileURLToPath(new URL('../dist/studio/web', import.meta.url))
await build({ configFile, logLevel: 'warn' })

const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))

/** a chunk, the chunks that it imports statically, and their styles */
const filesOf = (name, seen = new Set()) => {
  if (seen.has(name)) return []
  seen.add(name)
  const { file, css = [], imports = [] } = manifest[name]
  return [file, ...css, ...imports.flatMap(each => filesOf(each, seen))]
}
const first = new Set(['index.html', ...filesOf('index.html')])
// the runtime of the chat is requested at once, but the frame of the page is painted before it has arrived
const chat = new Set(filesOf('chat/chat-workspace.tsx').filter(file => !first.has(file)))

const kilobytes = bytes => `${(bytes / 1000).toFixed(1)} kB`
const sizeOf = file => gzipSync(readFileSync(join(folder, file))).length
const total = files => [...files].reduce((sum, file) => sum + sizeOf(file), 0)

const rest = new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]))
for (const file of [...first, ...chat]) rest.delete(file)
for (const [label, files] of Object.entries({ first, chat, lazy: rest })) {
  const sized = [...files].map(file => [sizeOf(file), file]).sort((a, b) => b[0] - a[0])
  for (const [size, file] of sized.filter(each => each[0] > 2_000))
    console.log(`${label.padEnd(5)} ${kilobytes(size).padStart(9)}  ${file}`)
}
console.log(
  `first paint: ${kilobytes(total(first))} gzipped of at most ${kilobytes(maxFirstPaint)}; chat runtime: ${kilobytes(total(chat))}`,
)
if (total(first) > maxFirstPaint) {
  console.error('The first paint of the studio is too large: load what is not seen at first with import().')
  process.exit(1)
}
