import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sliced } from '../../../src/surfaces/cli/generate-commands.ts'

test('the slice of the client is what the table of verbs says', () => {
  const path = fileURLToPath(new URL('../../../src/surfaces/cli/commands.generated.ts', import.meta.url))
  const rows = Object.entries(sliced()).map(([command, row]) => `  ${JSON.stringify(command)}: ${JSON.stringify(row)},`)
  const now = [
    '// made by `npm run gen` from src/contract/commands.ts: the table without its schemas, which take longer to load than to answer',
    "import type { Slice } from '../row.ts'",
    '',
    '// biome-ignore format: one line per command',
    'export const slice: Slice = {',
    ...rows,
    '}',
    '',
  ].join('\n')
  if (process.env.UPDATE) writeFileSync(path, now)
  expect(readFileSync(path, 'utf8'), 'run `npm run gen` and commit the diff').toBe(now)
})
