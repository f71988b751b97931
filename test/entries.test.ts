import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** the entries that need no Node.js */
const entries = ['index', 'script', 'html', 'tools', 'wire']

// such hosts allow neither while a module loads: https://developers.cloudflare.com/workers/runtime-apis/handlers/
const forbidden = `
  const forbid = what => () => { throw new Error(what + ' while the module loads') }
  Math.random = forbid('Math.random')
  Date.now = performance.now = forbid('a clock')
  globalThis.Date = new Proxy(Date, { construct: forbid('new Date') })
  crypto.getRandomValues = crypto.randomUUID = forbid('crypto')
  globalThis.setTimeout = globalThis.setInterval = globalThis.queueMicrotask = globalThis.fetch = forbid('a timer or a request')
`

test.each(entries)('the entry %s reads no clock, no random number and no network when it is loaded', async entry => {
  const { outputFiles } = await build({
    entryPoints: [`${root}/src/${entry}.ts`],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'entry',
    platform: 'neutral',
    mainFields: ['module', 'main'],
  })
  const context = createContext({ crypto: {}, performance: {}, URL, TextEncoder, TextDecoder, AbortController })
  runInContext(forbidden, context)
  expect(() => runInContext('Math.random()', context)).toThrow('while the module loads')
  expect(() => runInContext('new Date()', context)).toThrow('while the module loads')
  runInContext(outputFiles[0]?.text ?? '', context)
  expect(runInContext('Object.keys(entry).length', context)).toBeGreaterThan(0)
})
