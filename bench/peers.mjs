import { createRequire } from 'node:module'

const wanted = 'a[href], button, input, select, textarea'

/** Libraries that one might use instead, each with what one would write oneself: an outline of links and controls. */
const outlines = {
  cheerio:
    ({ load }) =>
    html => {
      const $ = load(html)
      return $(wanted)
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
  // Markdown of the whole page: there are no controls in it
  turndown: Turndown => html => new Turndown().turndown(html),
}

const outlineOf = document =>
  Array.from(
    document.querySelectorAll(wanted),
    element => `${element.tagName} ${element.textContent.trim()} ${element.getAttribute('href') ?? ''}`,
  )

const require = createRequire(new URL('peers/package.json', import.meta.url))

/** They are no dependencies of ours: those that are not found say so. */
export async function openPeers() {
  return Promise.all(
    Object.entries(outlines).map(async ([name, outline]) => {
      let path
      try {
        path = require.resolve(name)
      } catch {
        return { name, reason: 'not installed' } // resolve throws for nothing else
      }
      try {
        const library = await import(path)
        return { name, work: outline(name === 'turndown' ? library.default : library.default?.[needed[name]] ? library.default : library) }
      } catch (error) {
        return { name, reason: `does not load: ${String(error.message).split('\n')[0].slice(0, 60)}` }
      }
    }),
  )
}

const needed = { cheerio: 'load', jsdom: 'JSDOM', linkedom: 'parseHTML' }
