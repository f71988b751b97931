import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { atExit } from '../../src/home/at-exit.ts'

test('any number of functions share one listener, which goes with the last of them', () => {
  const before = process.listenerCount('exit')
  const undo = Array.from({ length: 50 }, () => atExit(() => {}))
  expect(process.listenerCount('exit')).toBe(before + 1)
  for (const each of undo) each()
  expect(process.listenerCount('exit')).toBe(before)
})

test('functions that were not taken back are called when the process exits, and nothing is printed', async () => {
  const program = `import { atExit } from './src/home/at-exit.ts'
for (let index = 0; index < 20; index++) atExit(() => console.log(index))()
atExit(() => console.log('first'))
atExit(() => console.log('second'))`
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
  })
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', outputFiles[0]?.text ?? ''])
  expect({ stdout, stderr }).toEqual({ stdout: 'first\nsecond\n', stderr: '' })
})
