export { PagehandError } from '../../contract/pagehand-error.ts'

/** the longest quotation of page text in a message */
export const maxQuoteChars = 200
