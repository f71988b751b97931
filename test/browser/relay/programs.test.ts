// The command line and the MCP server in a tab that the user lent, as `--profile chrome` reaches it.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildPrograms } from '../../../scripts/programs.mjs'
import { findExtensionBrowser } from '../../support/extension-browser.ts'
import { type Lending, startLending } from '../../support/lending.ts'

describe.skipIf(findExtensionBrowser() === undefined)('programs with --profile chrome', () => {
  let lending: Lending
  let env: Record<string, string>
  const folder = mkdtempSync(fileURLToPath(new URL('../../../node_modules/.pagehand-', import.meta.url)))
  beforeAll(async () => {
    lending = await startLending()
    env = { ...(process.env as Record<string, string>), ...lending.env }
    await buildPrograms(folder)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  })
  afterEach(() => lending.end())
  afterAll(async () => {
    await lending?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test('the command line works in a lent tab, and gives it back', async () => {
    const tab = await lending.lend('cli')
    const pagehand = async (...words: string[]) => {
      const { stdout, stderr } = await spawnAsync([join(folder, 'cli.js'), ...words], env)
      return stdout + stderr
    }
    try {
      expect(await pagehand('snapshot', '--profile', 'chrome')).toContain('button "Go"')
      const [, ref = ''] = /button "Go".*\[ref=(e\d+)\]/.exec(await pagehand('snapshot', '--profile', 'chrome')) ?? []
      // a person who types the command is not asked
      expect(await pagehand('click', ref, '--profile', 'chrome')).toContain('page /cli clicked')
      expect(lending.relay.status().clients).toEqual(['command line'])
    } finally {
      await pagehand('stop')
    }
    await expect.poll(() => lending.relay.status().clients).toEqual([])
    expect(await lending.find(tab)).toMatchObject({ url: tab.url, isAttached: false })
  })

  test('a lent tab is used by one program after another, without a reload', async () => {
    const tab = await lending.lend('again')
    for (const client of ['first', 'second']) {
      if (client === 'second') await lending.browser.lend(tab)
      const { stdout, stderr } = await spawnAsync([join(folder, 'cli.js'), 'snapshot', '--profile', 'chrome'], env)
      expect(stdout + stderr).toContain('button "Go"')
      // the next command starts another process
      await spawnAsync([join(folder, 'cli.js'), 'stop'], env)
      await expect.poll(() => lending.relay.status().clients).toEqual([])
    }
  })

  test('in a lent tab, the MCP server asks before a form is sent, although no flag turns approvals on', async () => {
    const tab = await lending.lend('mcp')
    const args = [join(folder, 'cli.js'), 'mcp', '--profile', 'chrome', '--site', '127.0.0.1']
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }))
    try {
      const call = async (name: string, given: Record<string, unknown> = {}) =>
        JSON.stringify((await client.callTool({ name, arguments: given })).content)
      const snapshot = await call('web_snapshot')
      const refOf = (name: string) => new RegExp(`button \\\\"${name}\\\\".*?\\[ref=(e\\d+)\\]`).exec(snapshot)?.[1]
      expect(await call('web_click', { ref: refOf('Count') })).toContain('counted')
      expect(await call('web_click', { ref: refOf('Send order') })).toMatch(/approval_required/)
      expect((await lending.find(tab))?.url).toBe(tab.url)
      expect(lending.relay.status().clients).toEqual(['MCP server'])
    } finally {
      await client.close()
    }
  })
})

/** not spawnSync: the relay is in this process */
const spawnAsync = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ stdout: string; stderr: string }> =>
  new Promise(resolve => execFile(process.execPath, args, { env }, (_, stdout, stderr) => resolve({ stdout, stderr })))
