import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../src/', import.meta.url))

/** The rooms, packages and Node access that each room may import. ARCHITECTURE.md explains why. */
const rooms: {
  readonly [room: string]: { readonly rooms: readonly string[]; readonly packages: readonly string[]; readonly node?: true }
} = {
  contract: { rooms: [], packages: ['zod'] },
  policy: { rooms: ['contract'], packages: [] },
  engine: { rooms: ['contract'], packages: [] },
  injected: { rooms: ['contract', 'policy', 'engine'], packages: [] },
  render: { rooms: ['contract'], packages: [] },
  webview: { rooms: ['contract', 'policy', 'render'], packages: [] },
  html: { rooms: ['contract', 'engine', 'render'], packages: ['parse5', 'css-select'] },
  drivers: {
    rooms: ['contract', 'policy', 'engine', 'injected', 'webview', 'render', 'layers'],
    packages: ['devtools-protocol', 'ws'],
    node: true,
  },
  layers: { rooms: ['contract', 'render'], packages: [] },
  evidence: { rooms: ['contract', 'layers', 'render', 'surfaces'], packages: ['zod'], node: true },
  surfaces: {
    rooms: ['contract', 'policy', 'layers', 'render', 'html', 'evidence'],
    packages: ['zod', '@modelcontextprotocol'],
    node: true,
  },
  programs: { rooms: ['contract', 'policy', 'drivers', 'surfaces'], packages: [], node: true },
}
/** the public entries, outside of the rooms */
const entries: { readonly [file: string]: readonly string[] } = {
  'index.ts': ['contract', 'render', 'webview'],
  'html.ts': ['html'],
  'browser.ts': ['contract', 'policy', 'drivers'],
  'tools.ts': ['contract', 'policy', 'layers', 'render', 'evidence', 'surfaces'],
  'evidence.ts': ['layers', 'evidence'],
  'script.ts': ['webview', 'contract'],
}
const sources = (readdirSync(root, { recursive: true }) as string[]).filter(file => /\.ts$/.test(file) && !file.endsWith('.d.ts'))
const importsOf = (file: string) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:^|\n)(?:import|export)\b[^'"]*?from '([^']+)'|import\('([^']+)'\)/g)].map(
    found => found[1] ?? found[2] ?? '',
  )
const roomOf = (file: string) => file.split(sep)[0] ?? ''

test('every folder of src is a room listed here and in ARCHITECTURE.md', () => {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
  expect(folders.sort()).toEqual(Object.keys(rooms).sort())
  const told = readFileSync(join(root, '../ARCHITECTURE.md'), 'utf8')
  for (const room of folders) expect(told).toContain(`| \`${room}/\``)
})

for (const [room, may] of Object.entries(rooms))
  test(`${room} imports ${[...may.rooms, ...may.packages].join(', ') || 'nothing but itself'}${may.node ? ' and Node' : ''}`, () => {
    for (const file of sources.filter(each => roomOf(each) === room))
      for (const target of importsOf(file)) {
        if (target.startsWith('node:')) expect(may.node, `${file} imports ${target}`).toBe(true)
        else if (!target.startsWith('.')) expect(may.packages, `${file} imports ${target}`).toContain(target.split('/')[0])
        else
          expect([room, ...may.rooms], `${file} reaches into ${target}`).toContain(
            roomOf(relative(root, join(root, dirname(file), target))),
          )
      }
  })

test('the entries import only the rooms they publish', () => {
  const outside = sources.filter(file => !file.includes(sep))
  expect(outside.sort()).toEqual(Object.keys(entries).sort())
  for (const file of outside)
    for (const target of importsOf(file)) expect(entries[file], `${file} imports ${target}`).toContain(target.split('/')[1])
})

test('no source file is named utils, helpers, common, manager, service, base or misc', () => {
  expect(sources.filter(file => /(^|[/\\-])(utils?|helpers?|common|managers?|services?|base|misc|v2)\.ts$/.test(file))).toEqual([])
})
