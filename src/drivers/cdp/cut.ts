import { cut as cutText } from '../../contract/text.ts'
import { quote as quoteText } from '../../render/text/quote.ts'

/** What a page, or a browser about a page, has said: never longer than asked. */
export const cut = (said: unknown, most: number): string => cutText(String(said), most)

/** The same inside a sentence of ours: one line, in quotes, so that it cannot pass for our words. */
export const quote = (said: unknown, most = 200): string => quoteText(String(said), most)
