/** A field as the command line takes it. */
export interface Taken {
  readonly type: 'string' | 'integer' | 'boolean' | 'array'
  readonly says?: string
  readonly words?: readonly string[]
  readonly otherwise?: string | number | boolean
}
export interface Row {
  /** the verb behind the command */
  readonly verb: string
  readonly says: string
  /** required fields, in the order in which they are written */
  readonly needs: readonly string[]
  readonly fields: { readonly [field: string]: Taken }
}
export type Slice = { readonly [command: string]: Row }

/** a required field is written in its place: REF */
export const placeholder = (field: string): string => kebab(field).toUpperCase()
/** `maxChars` is --max-chars */
export const kebab = (field: string): string => field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
