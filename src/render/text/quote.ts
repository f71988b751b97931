export { cut, inline, quote } from '../../contract/quote.ts'
