import { mapBox } from '../../../engine/matrix.ts'
import { callEngine } from './engine.ts'
import type { Frame } from './frames.ts'

/**
 * The element that an action is about to operate, in CSS pixels of the viewport.
 *
 * @example
 * const mark = ({ verb, name, box }: ActionTarget) => outline(box, `${verb} ${name}`)
 */
export interface ActionTarget {
  readonly verb: string
  readonly ref: string
  readonly role: string
  readonly name: string
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

/** Reads where an element is while an action waits for it to stop moving, so the action takes no longer. */
export async function readActionTarget(frame: Frame, ref: string): Promise<Omit<ActionTarget, 'verb'>> {
  const [{ role, name, box }, matrix] = await Promise.all([callEngine(frame, 'describeTarget', { ref }), frame.matrix()])
  return { ref: frame.spell(ref), role, name, box: mapBox(matrix, box) }
}
