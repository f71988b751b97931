import { say } from '../../../contract/message.ts'
import { PagehandError } from '../errors.ts'
import type { ActionContext } from './action-context.ts'
import type { ResolvedRef } from './input-context.ts'
import { press } from './mouse.ts'

const maxChooserFrames = 60

/** Sets the files of a file input, which may be hidden, or of the file chooser that an element opens when it is clicked. */
export async function upload(action: ActionContext, where: ResolvedRef, paths: readonly string[]): Promise<void> {
  const { session, spell } = action.frame
  const files: string[] = []
  for (const path of paths) files.push(await action.input.copyUpload(path))
  const isFileInput = await action.call('isFileInput', { ref: where.ref, count: files.length })
  await action.ready
  if (isFileInput && !files.length) {
    // DOM.setFileInputFiles ignores an empty list
    await action.call('clearFiles', { ref: where.ref })
    return action.markUntrusted()
  }
  if (isFileInput) {
    await session.send('DOM.setFileInputFiles', { files, objectId: await where.element() })
    return
  }
  if (!files.length)
    throw new PagehandError('not_editable', say`${{ ref: spell(where.ref) }} is not a file field, so it has no files to remove.`)
  const chooser = await openFileChooser(action, where.ref)
  const name = { ref: spell(where.ref) }
  if (chooser?.backendNodeId === undefined)
    throw new PagehandError('not_editable', say`${name} takes no files, and opens no chooser for them.`)
  if (files.length > 1 && chooser.mode === 'selectSingle')
    throw new PagehandError('invalid_input', say`${name} takes one file, not ${files.length}.`)
  await session.send('DOM.setFileInputFiles', { files, backendNodeId: chooser.backendNodeId })
}

interface FileChooser {
  readonly backendNodeId?: number | undefined
  readonly mode: string
}

async function openFileChooser(action: ActionContext, ref: string): Promise<FileChooser | undefined> {
  const { session } = action.frame
  await session.send('Page.setInterceptFileChooserDialog', { enabled: true })
  let chooser: FileChooser | undefined
  const off = session.on('Page.fileChooserOpened', event => {
    chooser = event
  })
  try {
    await press(action, { ref })
    for (let frames = 0; !chooser && frames < maxChooserFrames; frames++) await action.call('nextFrame')
  } finally {
    off()
    session.send('Page.setInterceptFileChooserDialog', { enabled: false }).catch(() => {}) // the page may be gone
  }
  return chooser
}
