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

/** The desktop app: its main process, which shares the server of the studio with the command line, and its preload script. */
export async function buildDesktop(outdir) {
  const shared = { absWorkingDir: root, bundle: true, platform: 'node', minify: true, metafile: true, tsconfigRaw: {}, logLevel: 'warning' }
  const built = await Promise.all([
    build({
      ...shared,
      outfile: join(outdir, 'main.js'),
      entryPoints: ['apps/desktop/main/electron.ts'],
      format: 'esm',
      target: ['node22'],
      external: ['electron', 'pagehand', 'pagehand/*', 'zod'],
      define: { __VERSION__: JSON.stringify(version) },
      plugins: [
        {
          name: 'studio server',
          setup: ({ onResolve }) =>
            onResolve({ filter: /studio\/server\/index\.ts$/ }, () => ({ path: '../studio/server.js', external: true })),
        },
      ],
    }),
    // one file of CommonJS: a preload script in the sandbox can load nothing but electron
    build({
      ...shared,
      outfile: join(outdir, 'preload.cjs'),
      entryPoints: ['apps/desktop/preload.ts'],
      format: 'cjs',
      target: ['chrome130'],
      external: ['electron'],
    }),
  ])
  return built.flatMap(({ metafile }) => Object.keys(metafile.inputs))
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
      // split, because the packages of a database are loaded only with that database: one file would import all of them at its top
      splitting: true,
      chunkNames: 'studio/server-[name]-[hash]',
      entryPoints: { 'studio/server': 'apps/studio/server/index.ts' },
      external: ['pagehand', 'pagehand/*', '@electric-sql/pglite', 'ai', 'pg', 'ws', 'zod'],
      // without the paths of tsconfig.json, which would bundle the library a second time
      tsconfigRaw: {},
      banner: { js: "import { createRequire as require_ } from 'node:module'; const require = require_(import.meta.url);" },
    }),
  ])
  return built.flatMap(({ metafile }) => Object.keys(metafile.inputs))
}
