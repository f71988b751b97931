import type { SessionOptions } from '../../src/browser.ts'
import { openTestSession, type TestSession } from './test-session.ts'

/** A page in a CDP session. */
export interface CdpPage extends TestSession {
  /** evaluates in the main world of the page */
  evaluate<T>(js: string): Promise<T>
}

type CdpPageOptions = Pick<SessionOptions, 'settle' | 'uploadRoots'> & { readonly files?: Readonly<Record<string, string>> }

/** `await using page = await openCdpPage('<button>…')` */
export async function openCdpPage(html: string, { files = {}, ...options }: CdpPageOptions = {}): Promise<CdpPage> {
  const document = html.includes('<html') ? html : `<!doctype html><title>test</title>${html}`
  const session = await openTestSession({ html: document, files }, { allowEval: true, ...options })
  return Object.assign(session, {
    async evaluate<T>(js: string) {
      const { value } = await session.do('evaluate', { js, limitChars: 100_000 })
      return (value === 'undefined' ? undefined : JSON.parse(value)) as T
    },
  })
}
