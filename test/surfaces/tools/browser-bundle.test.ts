import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

test('pagehand/tools can be bundled for a browser: it imports nothing of Node', async () => {
  const { errors, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../../../src/tools.ts', import.meta.url))],
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  expect(errors).toEqual([])
  const imports = Object.values(metafile.outputs).flatMap(output => output.imports.map(({ path }) => path))
  expect(imports).toEqual([])
})
