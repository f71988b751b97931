import type { SessionOptions } from '../../src/browser.ts'
import { type Driven, drive } from './session.ts'

/** A page in a session, with short words for what tests do to it. */
export interface Handled extends Driven {
  /** in the page's own world */
  evaluate<T>(js: string): Promise<T>
}

type Given = Pick<SessionOptions, 'settle' | 'uploadRoots'> & { readonly files?: Readonly<Record<string, string>> }

/** `await using page = await handle('<button>…')`, in the browser that this worker shares. */
export async function handle(html: string, { files = {}, ...options }: Given = {}): Promise<Handled> {
  const whole = html.includes('<html') ? html : `<!doctype html><title>test</title>${html}`
  const driven = await drive({ html: whole, files }, { allowEval: true, ...options })
  return Object.assign(driven, {
    async evaluate<T>(js: string) {
      const { value } = await driven.do('evaluate', { js, limitChars: 100_000 })
      return (value === 'undefined' ? undefined : JSON.parse(value)) as T
    },
  })
}
