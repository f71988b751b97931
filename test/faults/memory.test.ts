import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildPrograms } from '../../scripts/programs.mjs'
import { browserEnvironment } from './browser-environment.ts'
import { tries } from './scale.ts'

interface Row {
  readonly name: string
  /** megabytes of heap and buffers above the beginning, after a collection */
  readonly growth: number
  readonly rssGrowth: number
  readonly rssPeak: number
}

test('the host stays within 50 MB of its base memory and never throws, whatever a page sends (A6, F2)', { timeout: 600_000 }, async ({
  task,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-memory-'))
  try {
    await buildPrograms(folder, { memory: 'test/support/programs/memory.ts' })
    // a heap that grew beyond this for a moment would end the process
    const flags = ['--expose-gc', '--max-old-space-size=100']
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, join(folder, 'memory.js')], {
      env: { ...(await browserEnvironment()), SCALE: String(tries(100, 5) / 100) },
      maxBuffer: 2 ** 24,
    })
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    const rows = lines.slice(0, -1) as Row[]
    task.meta.tries = rows.length
    console.table(rows)
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter(({ growth }) => growth > 50)).toEqual([])
    expect(lines.at(-1)).toEqual({ uncaught: [] })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})
