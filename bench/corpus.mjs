import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// real pages beside the repository, or in PAGEHAND_CORPUS
const corpus = process.env.PAGEHAND_CORPUS ?? fileURLToPath(new URL('../../shared/corpus', import.meta.url))

export const hasCorpus = existsSync(join(corpus, 'pages/manifest.json'))
export const readCorpus = path => readFileSync(join(corpus, path), 'utf8')
