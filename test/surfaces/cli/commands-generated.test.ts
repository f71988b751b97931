import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { generateCommands } from '../../../src/surfaces/cli/generate-commands.ts'

test('commands.generated.ts is up to date with the verb table', () => {
  const path = fileURLToPath(new URL('../../../src/surfaces/cli/commands.generated.ts', import.meta.url))
  const rows = Object.entries(generateCommands()).map(([command, row]) => `  ${JSON.stringify(command)}: ${JSON.stringify(row)},`)
  const now = [
    '// made by `npm run gen` from src/contract/commands.ts: the table without its schemas, which take longer to load than to answer',
    "import type { CommandSpecs } from './command-spec.ts'",
    '',
    '// biome-ignore format: one line per command',
    'export const commandSpecs: CommandSpecs = {',
    ...rows,
    '}',
    '',
  ].join('\n')
  if (process.env.UPDATE) writeFileSync(path, now)
  expect(readFileSync(path, 'utf8'), 'run `npm run gen` and commit the diff').toBe(now)
})
