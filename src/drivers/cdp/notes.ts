import { inline } from '../../render/text/quote.ts'

/** a function is called when the note is read */
export type Note = string | (() => string)

/** What a note is about, the most important first. */
export const noteKinds = ['refused', 'page', 'dialog', 'tab', 'download'] as const
export type NoteKind = (typeof noteKinds)[number]

const maxNotesPerKind = 20
const maxNoteChars = 1_000

/** The notes for the next result. A page that causes many notes of one kind hides neither the other kinds nor the important ones. */
export class Notes {
  readonly #notes = new Map<NoteKind, Note[]>()

  add(note: Note, kind: NoteKind): void {
    const notes = this.#notes.get(kind) ?? []
    this.#notes.set(kind, notes)
    if (notes.length < maxNotesPerKind) notes.push(note)
  }

  /** Returns each note once: first one of each kind, then the others. */
  take(): readonly string[] {
    const lists = noteKinds.map(kind => this.#notes.get(kind) ?? [])
    const notes = [...lists.flatMap(list => list.slice(0, 1)), ...lists.flatMap(list => list.slice(1))]
    this.#notes.clear()
    return notes.map(note => inline(typeof note === 'string' ? note : note(), maxNoteChars))
  }
}
