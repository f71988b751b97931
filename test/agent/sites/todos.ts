import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { SiteDefinition } from './site.ts'

export interface TodoState {
  /** requests may arrive in another order */
  seq: number
  items: readonly { readonly text: string; readonly done: boolean }[]
}

const folder = fileURLToPath(new URL('../../fixtures/apps/', import.meta.url))

// some frameworks replace the state, others change it and then the page
const send = `let now, last, seq = 0
  const send = () => {
    const items = JSON.stringify((now?.items ?? []).map(({ text, done }) => ({ text, done })))
    if (items !== last) fetch('/state', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"seq":' + ++seq + ',"items":' + (last = items) + '}' }).then(response => response.json())
  }
  Object.defineProperty(window, 'state', { get: () => now, set: state => { now = state; send() } })
  new MutationObserver(send).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })`

/** The todo list of test/fixtures/apps in one framework, which sends its state to the server whenever it changes. */
export function todoApp(framework: 'react' | 'vue' | 'lit' | 'preact'): SiteDefinition<TodoState> {
  let script: Promise<string> | undefined
  const bundle = async () => {
    const { outputFiles } = await build({
      entryPoints: [`${folder}${framework}.js`],
      bundle: true,
      write: false,
      format: 'iife',
      minify: true,
      define: {
        'process.env.NODE_ENV': '"production"',
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
    })
    return outputFiles[0]?.text ?? ''
  }
  return {
    start: () => ({ seq: 0, items: [] }),
    async respond({ path, json, isPost }, state) {
      if (isPost && path === '/state') {
        const { seq, items } = json as TodoState
        if (seq > state.seq) Object.assign(state, { seq, items })
        return { json: true }
      }
      if (path === '/app.js') {
        script ??= bundle()
        return { script: await script }
      }
      const css = readFileSync(`${folder}app.css`, 'utf8')
      return {
        html: `<!doctype html><meta charset="utf-8"><title>todos</title><style>${css}</style><div id="app"></div><script>${send}</script><script src="/app.js"></script>`,
      }
    },
  }
}
