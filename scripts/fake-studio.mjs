// Loads the fake server of the studio, which is TypeScript, and starts it: node scripts/fake-studio.mjs
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The fake server and the search for a browser, compiled. */
export const loadFakeStudio = async () => {
  const folder = join(root, 'dist/studio-dev')
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, 'fake-studio.mjs')
  await build({
    stdin: {
      contents: `export { startFakeServer } from './apps/studio/web/dev/fake-server.ts'
export { findBrowser } from './src/drivers/cdp/browser/find.ts'`,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outfile,
    logLevel: 'error',
  })
  return import(pathToFileURL(outfile).href)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { startFakeServer } = await loadFakeStudio()
  const { url } = await startFakeServer({ port: 4717, webFolder: join(root, 'dist/studio/web') })
  console.log(`fake studio server: ${url}`)
}
