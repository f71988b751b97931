// The programs that are run: the client (small, loads the rest when it is asked for), its host, the doctor and the MCP server.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** what each file of dist is made from */
export const programs = {
  'cli-daemon': 'src/programs/cli-daemon.ts',
  'cli-doctor': 'src/programs/doctor.ts',
  mcp: 'src/programs/mcp.ts',
}

/** Bundles into a folder and says which packages are inside. */
export async function buildPrograms(outdir, entries = programs) {
  const shared = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: ['node20.19'],
    minify: true,
    metafile: true,
    define: { __VERSION__: JSON.stringify(version) },
    logLevel: 'warning',
  }
  const built = await Promise.all([
    // in pieces: a command on a page loads neither the parser of HTML nor the help
    build({
      ...shared,
      entryPoints: { cli: 'src/surfaces/cli/main.ts' },
      // bundled, the parser takes a third longer: V8 no longer knows that its enums never change
      external: ['parse5', 'css-select'],
      splitting: true,
      chunkNames: 'cli-[name]-[hash]',
    }),
    build({
      ...shared,
      entryPoints: entries,
      external: ['@sparticuz/chromium'],
      // packages inside were written for require
      banner: { js: "import { createRequire as require_ } from 'node:module'; const require = require_(import.meta.url);" },
    }),
  ])
  return built.flatMap(({ metafile }) => Object.keys(metafile.inputs))
}
