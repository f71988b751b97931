import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const here = fileURLToPath(new URL('.//', import.meta.url))

export interface Bundle {
  readonly js: string
  readonly css: string
}

/** Bundles a file of apps/ into one script and one style sheet. `entry` includes the extension: mui.jsx */
export async function bundle(entry: string): Promise<Bundle> {
  const { outputFiles } = await build({
    entryPoints: [`${here}apps/${entry}`],
    outdir: here,
    bundle: true,
    write: false,
    format: 'iife',
    minify: true,
    jsx: 'automatic',
    loader: { '.ttf': 'dataurl', '.woff': 'dataurl', '.woff2': 'dataurl', '.svg': 'dataurl' },
    conditions: ['browser', 'production'],
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [svelte, solid],
    logLevel: 'error',
  })
  const part = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ''
  return { js: part('.js'), css: part('.css') }
}

const svelte: Plugin = {
  name: 'svelte',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { compile } = await import('svelte/compiler')
      return { contents: compile(await readFile(path, 'utf8'), { filename: basename(path), css: 'injected' }).js.code }
    }),
}

const solid: Plugin = {
  name: 'solid',
  setup: ({ onLoad }) =>
    onLoad({ filter: /apps\/solid\.jsx$/ }, async ({ path }) => {
      const babel = await import('@babel/core')
      const result = await babel.transformAsync(await readFile(path, 'utf8'), {
        filename: path,
        presets: ['babel-preset-solid'],
        cwd: here,
      })
      return { contents: result?.code ?? '' }
    }),
}
