import { hasCorpus, readCorpus } from './corpus.mjs'

/** Lists that differ in nothing but their length. */
export const rowsPages = ({ quick }) => (quick ? [2_000, 20_000] : [2_000, 20_000, 100_000]).map(elements => rowsPage(elements))

/** Real pages without their scripts; none where the corpus is missing. */
export function corpusPages({ quick }) {
  if (!hasCorpus) return []
  const { pages } = JSON.parse(readCorpus('pages/manifest.json'))
  return pages
    .slice(0, quick ? 3 : pages.length)
    .map(({ file }) => ({ name: file.replace('.html', ''), html: withoutScripts(readCorpus(`pages/${file}`)) }))
}

const elementsPerRow = 4

/** As many elements, after what else is on the page. */
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
