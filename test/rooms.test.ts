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
  policy: { rooms: ['contract'], packages: ['ipaddr.js'] },
  approval: { rooms: ['contract', 'policy'], packages: ['zod'] },
  engine: { rooms: ['contract'], packages: [] },
  // render: only agent-text.js, which writes snapshots as text in the page
  injected: { rooms: ['contract', 'policy', 'engine', 'render'], packages: [] },
  render: { rooms: ['contract'], packages: [] },
  home: { rooms: [], packages: [], node: true },
  secrets: { rooms: ['contract', 'policy'], packages: [] },
  webview: { rooms: ['contract', 'policy', 'render', 'secrets'], packages: [] },
  html: { rooms: ['contract', 'engine', 'render'], packages: ['parse5', 'css-select', 'css-what'] },
  drivers: {
    rooms: ['contract', 'policy', 'engine', 'injected', 'webview', 'render', 'layers', 'secrets', 'home'],
    packages: ['devtools-protocol', 'tldts', 'ws'],
    node: true,
  },
  layers: { rooms: ['contract', 'render'], packages: [] },
  // the extension imports protocol.ts
  relay: { rooms: ['contract', 'home'], packages: ['ws'], node: true },
  evidence: { rooms: ['contract', 'layers', 'render', 'secrets', 'home', 'surfaces'], packages: ['zod'], node: true },
  surfaces: {
    rooms: ['contract', 'policy', 'approval', 'layers', 'render', 'html', 'evidence', 'secrets', 'home'],
    packages: ['zod', '@modelcontextprotocol'],
    node: true,
  },
  // data that the studio's server and page exchange: types, and no code that either of them could not run
  wire: { rooms: ['contract'], packages: ['ai'] },
  // the only room that calls the AI SDK
  agent: {
    rooms: ['contract', 'policy', 'approval', 'layers', 'render', 'evidence', 'secrets', 'surfaces', 'wire'],
    packages: ['ai', '@ai-sdk', '@opentelemetry', 'zod'],
    node: true,
  },
  programs: {
    rooms: ['contract', 'policy', 'agent', 'drivers', 'evidence', 'secrets', 'home', 'relay', 'surfaces'],
    packages: [],
    node: true,
  },
}
/** the public entries, outside of the rooms */
const entries: { readonly [file: string]: readonly string[] } = {
  'index.ts': ['contract', 'render', 'webview'],
  'html.ts': ['html'],
  'browser.ts': ['contract', 'policy', 'drivers', 'secrets'],
  'tools.ts': ['contract', 'policy', 'approval', 'layers', 'render', 'evidence', 'surfaces'],
  'evidence.ts': ['contract', 'layers', 'evidence'],
  'agent.ts': ['contract', 'agent', 'wire'],
  'script.ts': ['webview', 'contract', 'secrets'],
  'wire.ts': ['wire'],
}
/**
 * The sub-rooms that each sub-room may import; `.` is the room itself. Imports of types are free, since they do not exist at run time.
 */
const subRooms: { readonly [room: string]: { readonly [subRoom: string]: readonly string[] } } = {
  engine: { '.': ['accessibility'], accessibility: ['.'], snapshot: ['.', 'accessibility'] },
  // trusted and synthetic input are alternatives: neither knows the other, and nothing below knows either
  injected: {
    runtime: [],
    view: ['runtime'],
    actions: ['runtime', 'view'],
    watch: ['runtime', 'view', 'actions'],
    synthetic: ['runtime', 'view', 'actions', 'watch'],
    trusted: ['runtime', 'view', 'actions', 'watch'],
    entries: ['runtime', 'view', 'actions', 'watch', 'synthetic', 'trusted'],
  },
  render: {
    decode: ['text'],
    text: ['decode', 'text/formats'],
    'text/formats': ['text'],
    rank: ['decode', 'text', 'text/formats'],
    diff: ['decode', 'text', 'text/formats'],
  },
  webview: { '.': [], driver: ['.'] },
  'drivers/cdp': {
    connection: ['.'],
    egress: ['.'],
    browser: ['.', 'connection', 'egress'],
    page: ['.', 'connection', 'browser'],
    storage: ['.', 'connection', 'browser', 'page'],
    settle: ['.', 'connection', 'page'],
    snapshot: ['.', 'connection', 'page'],
    navigation: ['.', 'connection', 'egress', 'page', 'settle', 'storage'],
    input: ['.', 'connection', 'page', 'settle', 'storage'],
    live: ['.', 'page', 'input'],
    '.': ['connection', 'egress', 'browser', 'page', 'storage', 'settle', 'snapshot', 'navigation', 'input', 'live'],
  },
  surfaces: {
    '.': [],
    respond: [],
    flags: [],
    tools: ['respond', 'flags'],
    mcp: ['.', 'respond', 'flags', 'tools'],
    cli: ['.', 'respond', 'flags', 'tools', 'cli/daemon', 'cli/agent'],
    'cli/agent': ['.', 'respond', 'flags', 'tools', 'cli'],
    'cli/daemon': ['.', 'respond', 'flags', 'tools', 'cli'],
  },
}
/** Imports that break the table above: shrink this list, never grow it. */
const exceptions: readonly string[] = []
/** Files directly in drivers/cdp that are the top of the driver; sub-rooms import only the others. */
const topOfDriver = /^drivers\/cdp\/(session|session-context|commands)\.ts$/
/** Parts of rooms with Node access that do without Node. */
const withoutNode = ['surfaces/respond', 'surfaces/tools']

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

const slashed = (path: string) => path.replaceAll(sep, '/')
/** Imports of values by source, both as paths below src. */
const valueImports = sources.flatMap(file => {
  const text = readFileSync(join(root, file), 'utf8')
  const found = [...text.matchAll(/(?:^|\n)(?:import|export)\s+(?!type\s)([^'"]*?)from '(\.[^']+)'/g)]
  const values = found.filter(([, names = '']) => !/^\{(\s*type \w+( as \w+)?,?)+\s*\}\s*$/.test(names))
  return values.map(([, , target = '']) => [file, relative(root, join(root, dirname(file), target))].map(slashed) as [string, string])
})
/** The sub-room of a file within a room: `.` for the room itself, undefined outside. */
const subRoomOf = (file: string, room: string) => (file.startsWith(`${room}/`) ? dirname(file.slice(room.length + 1)) : undefined)

const broken = Object.entries(subRooms).flatMap(([room, table]) =>
  valueImports.filter(([file, target]) => {
    const [from, to] = [subRoomOf(file, room), subRoomOf(target, room)]
    if (from === undefined || to === undefined || from === to) return false
    return !table[from]?.includes(to) || topOfDriver.test(target)
  }),
)

for (const [room, table] of Object.entries(subRooms))
  test(`every folder of ${room} is a sub-room listed here`, () => {
    const folders = new Set(sources.map(slashed).flatMap(file => subRoomOf(file, room) ?? []))
    expect([...folders].sort()).toEqual(Object.keys(table).sort())
  })

test('sub-rooms import only the sub-rooms below them', () => {
  const found = broken.map(([file, target]) => `${file} → ${target}`)
  expect(found.filter(each => !exceptions.includes(each))).toEqual([])
  expect(
    exceptions.filter(each => !found.includes(each)),
    'these imports are gone: remove them from the exceptions',
  ).toEqual([])
})

test('responder and tools do not import Node', () => {
  const files = sources.filter(file => withoutNode.some(folder => slashed(file).startsWith(`${folder}/`)))
  expect(files.filter(file => importsOf(file).some(target => target.startsWith('node:')))).toEqual([])
})

const apps = fileURLToPath(new URL('../apps/', import.meta.url))
const importsOfApp = (app: string) =>
  (readdirSync(join(apps, app), { recursive: true }) as string[])
    .filter(file => /\.ts$/.test(file))
    .flatMap(file => importsOf(join(relative(root, apps), app, file)).map(target => [slashed(join(app, file)), target] as const))

test('the server of the studio and the desktop app import the package by its public entries only', () => {
  const published = Object.keys(entries).map(file => (file === 'index.ts' ? 'pagehand' : `pagehand/${file.replace('.ts', '')}`))
  const found = [...importsOfApp('studio/server'), ...importsOfApp('desktop')]
  expect(found.length).toBeGreaterThan(50)
  expect(found.filter(([, target]) => /(^|\/)src\//.test(target))).toEqual([])
  expect(found.filter(([, target]) => target.startsWith('pagehand') && !published.includes(target))).toEqual([])
})

test('of the desktop app, only the program and the preload script import Electron, and the studio only by its entry', () => {
  const found = importsOfApp('desktop')
  expect(
    found
      .filter(([, target]) => target === 'electron')
      .map(([file]) => file)
      .sort(),
  ).toEqual(['desktop/main/electron.ts', 'desktop/preload.ts'])
  const studio = found.filter(([, target]) => target.includes('studio/')).map(([, target]) => target)
  expect(new Set(studio)).toEqual(new Set(['../../studio/server/index.ts']))
})
