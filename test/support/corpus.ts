import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Real pages stored beside the repository; PAGEHAND_CORPUS overrides the path. */
export const corpus = process.env.PAGEHAND_CORPUS ?? fileURLToPath(new URL('../../../shared/corpus', import.meta.url))

/** Whether the corpus is missing; logs what is skipped. */
export function isCorpusMissing(what: string): boolean {
  const absent = !existsSync(join(corpus, 'pages/manifest.json'))
  if (absent) console.log(`${what}: skipped, there is no corpus at ${corpus}; set PAGEHAND_CORPUS`)
  return absent
}

export const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(corpus, path), 'utf8')) as T

/** A page without its scripts, as the figures of the manifest were measured. */
export const readPage = (path: string): string =>
  readFileSync(join(corpus, path), 'utf8')
    .replace(/<script\b[\s\S]*?<\/script\s*>/gi, '')
    .replace(/<noscript\b[\s\S]*?<\/noscript\s*>/gi, '')
    .replace(/<meta[^>]*http-equiv=["']?refresh[^>]*>/gi, '')
