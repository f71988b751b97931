import type { ParsedCommand } from '../contract/commands.ts'
import { say } from '../contract/message.ts'
import { fail, ok, type Result } from '../contract/run.ts'
import { inspectElement } from '../engine/inspect.ts'
import type { SnapshotDocument } from './document.ts'
import { closest, descendants, isElement } from './tree.ts'

/** What an element is and does. A string has no URL, so links and forms keep the URLs of the markup. */
export function inspect({ tree: { dom, refs, html } }: SnapshotDocument, { ref, except = [] }: ParsedCommand<'inspect'>): Result {
  if (ref === undefined) return fail('invalid_ref', 'ref is missing: a string has no focused element.', { field: 'ref' })
  const node = refs.find(ref)
  if (!node || !isElement(node)) return fail('ref_not_found', say`${{ ref }} is not in this page.`, { field: 'ref' })
  return ok(
    inspectElement(
      {
        dom,
        url: '',
        origin: '',
        // nothing is ever sent from a string, so its data has no digest
        key: undefined,
        unveiled: read => read(),
        except: except.flatMap(each => refs.find(each) ?? []),
        controlsOf: form => {
          const id = dom.attr(form, 'id')
          return id ? descendants(html, each => dom.attr(each, 'form') === id) : []
        },
        filesOf: () => [],
        formOf: each => {
          const id = dom.attr(each, 'form')
          if (id) return dom.byId(each, id)
          return isElement(each) ? closest(each, 'form') : null
        },
        resolve: url => url,
      },
      node,
    ),
  )
}
