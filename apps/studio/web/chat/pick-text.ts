import type { PickedElement } from '../../../../src/wire/live.ts'

/** A picked element as a line of a message, for the model and for people. */
export const pickText = (number: number, element: Pick<PickedElement, 'role' | 'name' | 'ref' | 'url'>, note: string): string => {
  const name = element.name === '' ? '' : ` "${element.name.replaceAll('"', "'")}"`
  return `[${number}] ${element.role}${name} (ref ${element.ref}) at ${element.url}${note.trim() === '' ? '' : `: ${note.trim()}`}`
}
