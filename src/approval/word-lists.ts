import type { ActionClass } from '../contract/approval.ts'
import { eastAsianLanguages } from './word-lists-east-asian.ts'
import { latinLanguages } from './word-lists-latin.ts'
import { otherLanguages } from './word-lists-other.ts'

/** The classes that words can name. */
export const wordClasses = ['pay', 'delete', 'submit', 'download'] as const satisfies readonly ActionClass[]
export type WordClass = (typeof wordClasses)[number]

/**
 * Words on a control that say what it does. Lists are separated by commas; `=` marks a text that is nothing else, `^` the beginning of a
 * text. Case, Traditional characters and, unless `isAccented`, accents do not matter.
 */
export interface LanguageWords {
  readonly language: string
  /** has spaces between words; words of other languages are found anywhere in a text */
  readonly isSpaced: boolean
  /** its words are other words without their accents */
  readonly isAccented?: true
  /** whether a text can be of this language (default: any can) */
  isPresent?(text: string): boolean
  readonly pay: string
  readonly delete: string
  readonly submit: string
  readonly download: string
  /** yes to what a dialog asks */
  readonly confirm: string
  /** the same words mean something else in these phrases */
  readonly not?: { readonly [name in WordClass]?: string }
  /** verbs that are part of a noun, as they are found in a folded text */
  nounsOf?(wordClass: WordClass): readonly RegExp[]
}

export const languages: readonly LanguageWords[] = [...latinLanguages, ...eastAsianLanguages, ...otherLanguages]
