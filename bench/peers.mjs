import { createRequire } from 'node:module'

const selector = 'a[href], button, input, select, textarea'

/** Alternative libraries, each with the code that a user would write: an outline of links and controls. */
const outlines = {
  cheerio:
    ({ load }) =>
    html => {
      const $ = load(html)
      return $(selector)
        .map((_, element) => `${element.tagName} ${$(element).text().trim()} ${$(element).attr('href') ?? ''}`)
        .get()
    },
  jsdom:
    ({ JSDOM }) =>
    html => {
      const { window } = new JSDOM(html)
      const lines = outlineOf(window.document)
      window.close()
      return lines
    },
  linkedom:
    ({ parseHTML }) =>
    html =>
      outlineOf(parseHTML(html).document),
  // Markdown of the whole page, without controls
  turndown: Turndown => html => new Turndown().turndown(html),
}

const outlineOf = document =>
  Array.from(
    document.querySelectorAll(selector),
    element => `${element.tagName} ${element.textContent.trim()} ${element.getAttribute('href') ?? ''}`,
  )

const require = createRequire(new URL('peers/package.json', import.meta.url))

/** Loads the libraries. They are not dependencies of pagehand, so a missing one gets a reason instead. */
export async function openPeers() {
  return Promise.all(
    Object.entries(outlines).map(async ([name, outline]) => {
      let path
      try {
        path = require.resolve(name)
      } catch {
        return { name, reason: 'not installed' } // the only reason for which resolve throws
      }
      try {
        const library = await import(path)
        return {
          name,
          work: outline(name === 'turndown' ? library.default : library.default?.[exportNames[name]] ? library.default : library),
        }
      } catch (error) {
        return { name, reason: `does not load: ${String(error.message).split('\n')[0].slice(0, 60)}` }
      }
    }),
  )
}

const exportNames = { cheerio: 'load', jsdom: 'JSDOM', linkedom: 'parseHTML' }
