import { serveMcp } from '../../../src/surfaces/mcp/serve.ts'
import { openHtml } from './open-html.ts'

export const run = (given: readonly string[]): Promise<number> =>
  serveMcp(given, { version: '0.0.0', open: openHtml, secretNames: () => [], check: async () => {} })
