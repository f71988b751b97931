import type { AnyRun, Result } from '../../../src/contract/run.ts'
import { fail, ok } from '../../../src/contract/run.ts'
import { htmlDriver } from '../../../src/html.ts'
import type { HostRules } from '../../../src/policy/host-rules.ts'
import { checkUrl } from '../../../src/policy/url-rules.ts'
import type { OpenedSession } from '../../../src/surfaces/respond/lazy-session.ts'

const pages: { readonly [path: string]: string } = {
  '/': '<title>Home</title><h1>Hello</h1><a href="/next">Next</a><input name=q>',
  '/text': `<title>Text</title><a href="/">Home</a>${Array.from({ length: 30 }, (_, at) => `<p>Tea ${at} costs four, and milk costs two.</p>`).join('')}`,
  '/long': `<title>Long</title>${'<a href="/x">A link of this page</a>'.repeat(300)}`,
}

/** A driver for HTML strings, to test everything between a user and a driver. */
export async function openHtml({ hosts }: { readonly hosts?: HostRules } = {}): Promise<Result<OpenedSession>> {
  let page: AnyRun | undefined
  let where = { url: 'about:blank', title: '' }
  const seen = () => ({ page: { ...where, readyState: 'complete', viewport: { width: 1, height: 1 }, scroll: { x: 0, y: 0, height: 0 } } })
  const run: AnyRun = async (command, signal) => {
    if (command.name === 'open') {
      const verdict = checkUrl(command.url, { hosts })
      if (!verdict.ok) return verdict
      const { pathname } = new URL(verdict.url)
      const html = pages[pathname]
      if (html === undefined) return fail('navigation_failed', [`nothing is at ${pathname}.`])
      page = htmlDriver(html)
      where = { url: String(command.url), title: pathname }
      return ok(seen())
    }
    if (command.name === 'wait' && command.text === 'never')
      return new Promise(resolve => {
        signal?.addEventListener?.('abort', () => resolve(fail('aborted', 'wait was stopped.')))
      })
    if (command.name === 'status') return ok({ running: true, url: where.url })
    if (command.name === 'screenshot') return ok({ ...seen(), mime: 'image/png', base64: 'iVBORw0KGgo=', width: 2, height: 3 })
    return page ? page(command, signal) : fail('not_bound', 'no page was opened.')
  }
  return ok({ run, close: async () => {} })
}
