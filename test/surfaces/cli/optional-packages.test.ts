import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDesktop, buildPrograms, programs } from '../../../scripts/programs.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const optional = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).peerDependencies)
const folder = mkdtempSync(join(tmpdir(), 'pagehand-imports-'))

beforeAll(async () => {
  await buildPrograms(folder)
  await buildDesktop(join(folder, 'desktop'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The optional packages that Node loads with a file, before any of its code runs. */
async function loadedWith(file: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [file],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    tsconfigRaw: {},
  })
  const found = new Set<string>()
  const visited = new Set<string>()
  const visit = (input: string): void => {
    if (visited.has(input)) return
    visited.add(input)
    for (const { path, kind, external } of metafile.inputs[input]?.imports ?? []) {
      if (kind === 'dynamic-import') continue
      if (!external) visit(path)
      else if (optional.some(name => path === name || path.startsWith(`${name}/`))) found.add(path)
    }
  }
  for (const { entryPoint } of Object.values(metafile.outputs)) if (entryPoint !== undefined) visit(entryPoint)
  expect(visited.size).toBeGreaterThan(0)
  return [...found].sort()
}

/** Programs and entries that do nothing without a package may import it. */
const needed: { readonly [name: string]: readonly string[] } = {
  'cli-agent': ['ai'],
  'studio/server': ['ai'],
  'desktop/main': ['ai'],
  agent: ['ai'],
}

test.for(['cli', ...Object.keys(programs), 'studio/server', 'desktop/main'])(
  'the program %s loads an optional package only when it is used',
  async name => {
    expect(await loadedWith(join(folder, `${name}.js`))).toEqual(needed[name] ?? [])
  },
)

test.for(
  readdirSync(join(root, 'src'))
    .filter(file => file.endsWith('.ts'))
    .map(file => file.slice(0, -'.ts'.length)),
)('the entry %s loads an optional package only when it is used', async name => {
  expect(await loadedWith(`src/${name}.ts`)).toEqual(needed[name] ?? [])
})
