// Bundles the programs: the command line client (small, loads the rest on demand), its daemon, the doctor and the MCP server.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** the source of each file in dist */
export const programs = {
  'cli-daemon': 'src/programs/cli-daemon.ts',
  'cli-agent': 'src/programs/agent.ts',
  'cli-doctor': 'src/programs/doctor.ts',
  'cli-login': 'src/programs/login.ts',
  'cli-recordings': 'src/programs/recordings.ts',
  'cli-relay': 'src/programs/relay.ts',
  'cli-studio': 'src/programs/studio.ts',
  mcp: 'src/programs/mcp.ts',
}

/** Bundles into a folder and returns the paths of all bundled sources. */
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
    // split, so that a command on a page loads neither the HTML parser nor the help
    build({
      ...shared,
      entryPoints: { cli: 'src/surfaces/cli/main.ts' },
      // bundled, parse5 is a third slower: V8 can no longer treat its enums as constants
      external: ['parse5', 'css-select', 'css-what'],
      splitting: true,
      chunkNames: 'cli-[name]-[hash]',
    }),
    build({
      ...shared,
      entryPoints: entries,
      external: ['@sparticuz/chromium', 'ai', '@ai-sdk/*', '@opentelemetry/api'],
      // some bundled packages call require
      banner: { js: "import { createRequire as require_ } from 'node:module'; const require = require_(import.meta.url);" },
    }),
    // the server of the studio: its packages are bundled, except for those that are large or that the user chooses
    build({
      ...shared,
      entryPoints: { 'studio/server': 'apps/studio/server/index.ts' },
      external: ['pagehand', 'pagehand/*', '@electric-sql/pglite', 'ai', 'pg', 'ws', 'zod'],
      // without the paths of tsconfig.json, which would bundle the library a second time
      tsconfigRaw: {},
      banner: { js: "import { createRequire as require_ } from 'node:module'; const require = require_(import.meta.url);" },
    }),
  ])
  return built.flatMap(({ metafile }) => Object.keys(metafile.inputs))
}
