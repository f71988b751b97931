import { openSession } from '../../src/browser.ts'
import type { Name } from '../../src/contract/commands.ts'
import type { Failure } from '../../src/contract/failures.ts'
import type { Data } from '../../src/contract/results.ts'
import type { SnapshotNode } from '../../src/contract/snapshot.ts'
import { ground } from './chromium.ts'

/** A page in a session, with short words for what tests do to it. */
export interface Handled {
  readonly url: string
  /** the data of a command that must succeed */
  do<N extends Name>(name: N, args?: object, signal?: AbortSignal): Promise<Data[N]>
  /** the failure of a command that must fail */
  fails(name: Name, args?: object, signal?: AbortSignal): Promise<Failure>
  /** ref of the one thing with this name, or of this role */
  ref(name: string): Promise<string>
  /** in the page's own world */
  evaluate<T>(js: string): Promise<T>
  [Symbol.asyncDispose](): Promise<void>
}

interface Given {
  readonly files?: Readonly<Record<string, string>>
  readonly settle?: { readonly capMs?: number; readonly networkMs?: number }
  readonly uploadRoots?: readonly string[]
}

/** `await using page = await handle('<button>…')`, in the browser that this worker shares. */
export async function handle(html: string, { files = {}, ...options }: Given = {}): Promise<Handled> {
  const { chromium, site } = await ground()
  const folder = site.add({ '': html.includes('<html') ? html : `<!doctype html><title>test</title>${html}`, ...files })
  const session = await openSession({ browser: chromium, allowEval: true, ...options })
  const run = (name: Name, args: object, signal?: AbortSignal) => session.run({ name, ...args }, signal)
  const page: Handled = {
    url: folder.url,
    async do(name, args = {}, signal) {
      const result = await run(name, args, signal)
      if (!result.ok) throw new Error(`${name}: ${result.error.code}: ${result.error.message}`)
      return result.data as never
    },
    async fails(name, args = {}, signal) {
      const result = await run(name, args, signal)
      if (result.ok) throw new Error(`${name} succeeded: ${JSON.stringify(result.data).slice(0, 500)}`)
      return result.error
    },
    async ref(name) {
      const { tree } = await page.do('snapshot')
      const all = below(tree).filter(node => node.ref)
      const found = all.filter(node => node.name === name)
      const [one, ...others] = found.length ? found : all.filter(node => node.role === name)
      if (!one?.ref || others.length) throw new Error(`${others.length + (one ? 1 : 0)} things are ${name}: ${JSON.stringify(tree)}`)
      return one.ref
    },
    async evaluate<T>(js: string) {
      const { value } = await page.do('evaluate', { js, limitChars: 100_000 })
      return (value === 'undefined' ? undefined : JSON.parse(value)) as T
    },
    async [Symbol.asyncDispose]() {
      folder.remove()
      await session.close()
    },
  }
  await page.do('open', { url: folder.url })
  return page
}

const below = (node: SnapshotNode): SnapshotNode[] => (node.children ?? []).flatMap(child => [child, ...below(child)])
