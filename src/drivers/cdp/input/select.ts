import { PagehandError } from '../errors.ts'
import type { ActionContext } from './action.ts'
import type { ResolvedRef } from './context.ts'
import { typeText } from './keyboard.ts'
import { press } from './mouse.ts'

type Choice = { readonly way: 'set' } | { readonly way: 'options'; readonly open: boolean; readonly refs: readonly string[] }

/** how long a list may take to open, or to find what was written into it */
const openMs = 2_000
const attempts = 3

/** Options of a list: set where the browser draws it, clicked where the page does. */
export async function select(deed: ActionContext, { ref, values }: { ref: string; values: readonly string[] }): Promise<void> {
  if (!values.length) throw new PagehandError('invalid_input', 'values must name at least one option.')
  const { choice } = await optionsNow(deed, ref, values)
  if (choice?.way === 'set') return deed.byScript()
  let refs = choice?.open ? choice.refs : undefined
  if (!refs) {
    await press(deed, { ref })
    refs = await opened(deed, ref, values)
  }
  for (let attempt = 1; ; attempt++) {
    try {
      for (const option of refs) await press(deed, { ref: option })
      return
    } catch (error) {
      // a list that is searched is often drawn anew, with other options that say the same
      if (attempt === attempts || !(error instanceof PagehandError) || !/^(ref_not_found|target_moved)$/.test(error.code)) throw error
      refs = await opened(deed, ref, values)
    }
  }
}

/** what there is to choose from now, or why not */
async function optionsNow(deed: ActionContext, ref: string, values: readonly string[]): Promise<{ choice?: Choice; why?: PagehandError }> {
  try {
    return { choice: await deed.call<Choice>('choose', { ref, values }) }
  } catch (why) {
    if (why instanceof PagehandError && why.code === 'option_not_found') return { why }
    throw why
  }
}

/** The list once it is open and has the options; where it can be written into, that is how a long one is searched. */
async function opened(deed: ActionContext, ref: string, values: readonly string[]): Promise<readonly string[]> {
  let why: PagehandError | undefined
  let isWritten = false
  for (const until = performance.now() + openMs; performance.now() < until; ) {
    const now = await optionsNow(deed, ref, values)
    if (now.choice?.way === 'options' && now.choice.open) return now.choice.refs
    if (now.why && !isWritten && values.length === 1 && (await isField(deed, ref))) {
      isWritten = true
      await typeText(deed, values[0] ?? '')
      await deed.call('rest', { ms: openMs / 4 })
    }
    why = now.why
    await deed.call('frame')
  }
  throw why ?? new PagehandError('option_not_found', `The list of ${deed.input.spell(deed.frame, ref)} did not open.`)
}

const isField = async (deed: ActionContext, ref: string): Promise<boolean> =>
  (await deed.call<{ field: boolean }>('isField', { ref })).field

export async function check(deed: ActionContext, { ref, want }: { ref: string; want: boolean }): Promise<void> {
  const { done } = await deed.call<{ done: boolean }>('check', { ref, want })
  if (!done) await press(deed, { ref })
}

/** Files for a field, which may be hidden, or for the chooser that an element opens when it is clicked. */
export async function upload(deed: ActionContext, where: ResolvedRef, given: readonly string[]): Promise<void> {
  const { input: hands, frame } = deed
  if (!given.length) throw new PagehandError('invalid_input', 'files must name at least one file.')
  const files: string[] = []
  for (const path of given) files.push(await hands.resolveUpload(path))
  const { own } = await deed.call<{ own: boolean }>('file', { ref: where.ref, count: files.length })
  await deed.ready
  if (own) {
    await frame.session.send('DOM.setFileInputFiles', { files, objectId: await where.element() })
    return
  }
  await frame.session.send('Page.setInterceptFileChooserDialog', { enabled: true })
  let chooser: { readonly backendNodeId?: number | undefined; readonly mode: string } | undefined
  const off = frame.session.on('Page.fileChooserOpened', opened => {
    chooser = opened
  })
  try {
    await press(deed, { ref: where.ref })
    for (let frames = 0; !chooser && frames < 60; frames++) await deed.call('frame')
  } finally {
    off()
    frame.session.send('Page.setInterceptFileChooserDialog', { enabled: false }).catch(() => {}) // the page may be gone
  }
  const word = hands.spell(frame, where.ref)
  if (chooser?.backendNodeId === undefined)
    throw new PagehandError('not_editable', `${word} takes no files, and opens no chooser for them.`)
  if (files.length > 1 && chooser.mode === 'selectSingle')
    throw new PagehandError('invalid_input', `${word} takes one file, not ${files.length}.`)
  await frame.session.send('DOM.setFileInputFiles', { files, backendNodeId: chooser.backendNodeId })
}
