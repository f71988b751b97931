// Builds the extension for Chrome into dist/extension, to be loaded at chrome://extensions.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

/** Builds into a folder (default: dist/extension). */
export async function buildExtension(outdir = `${root}dist/extension`) {
  rmSync(outdir, { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints: ['apps/extension/background.ts', 'apps/extension/popup.ts'],
    outdir,
    bundle: true,
    format: 'esm',
    // the oldest version with child sessions of chrome.debugger
    target: ['chrome125'],
    logLevel: 'warning',
  })
  for (const file of ['popup.html', 'popup.css', 'icons']) cpSync(`${root}apps/extension/${file}`, `${outdir}/${file}`, { recursive: true })
  const manifest = JSON.parse(readFileSync(`${root}apps/extension/manifest.json`, 'utf8'))
  writeFileSync(`${outdir}/manifest.json`, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
  return outdir
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExtension()
