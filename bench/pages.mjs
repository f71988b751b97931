import { hasCorpus, readCorpus } from './corpus.mjs'

/** Lists that differ only in their length. */
export const rowsPages = ({ quick }) => (quick ? [2_000, 20_000] : [2_000, 20_000, 100_000]).map(elements => rowsPage(elements))

/** Real pages without their scripts; empty if there is no corpus. */
export function corpusPages({ quick }) {
  if (!hasCorpus) return []
  const { pages } = JSON.parse(readCorpus('pages/manifest.json'))
  return pages
    .slice(0, quick ? 3 : pages.length)
    .map(({ file }) => ({ name: file.replace('.html', ''), html: withoutScripts(readCorpus(`pages/${file}`)) }))
}

const elementsPerRow = 4

/** A page with this many elements, after `before`. */
export function rowsPage(elements, before = '') {
  const rows = Array.from({ length: elements / elementsPerRow }, (_, i) => row(i + 1))
  const html = `<!doctype html><html lang="en"><title>Rows</title><body>${before}<ul>\n${rows.join('\n')}\n</ul>`
  return { name: `${elements.toLocaleString('en')} elements`, html }
}

const row = i =>
  `<li><a href="/items/${i}">Item ${i}</a> <span>ships in ${(i % 7) + 1} days</span> <button>Add item ${i} to the cart</button></li>`

const withoutScripts = html =>
  html
    .replace(/<script\b[\s\S]*?<\/script\s*>/gi, '')
    .replace(/<noscript\b[\s\S]*?<\/noscript\s*>/gi, '')
    .replace(/<meta[^>]*http-equiv=["']?refresh[^>]*>/gi, '')
