import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPrograms } from '../../../scripts/programs.mjs'
import { openSession } from '../../../src/browser.ts'
import { knownLocations } from '../../../src/drivers/cdp/browser/locations.ts'
import { browserTool, webTools } from '../../../src/tools.ts'
import { processesInGroup, until } from '../../support/processes.ts'
import { openSite, type Site } from '../../support/site.ts'

// inside the work tree, so that the browser in node_modules is found
const folder = mkdtempSync(fileURLToPath(new URL('../../../node_modules/.pagehand-', import.meta.url)))
let site: Site
let home: string

beforeAll(async () => {
  site = await openSite()
  const { url } = site.add({
    '': '<title>Home</title><h1>Home</h1><a href="next.html">Next</a><button onclick="document.title=prompt(\'Name?\')">Ask</button>',
    'next.html': '<title>Next</title><h1>Next page</h1><p>Tea costs €4.</p><a href="./">Home</a>',
  })
  home = url
  await buildPrograms(folder)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(async () => {
  await pagehand('stop')
  rmSync(folder, { recursive: true, force: true })
})

test('navigation tools report URL, title and status (S2-12..S2-17, S2-41)', async () => {
  await using session = await openSession()
  const { execute } = webTools(session.run)
  const call = async (name: string, args: object = {}) => (await execute(name, args)).text
  expect(await call('web_open', { url: home })).toMatch(new RegExp(`^ok: open\\n<page \\S+ url="${home}" title="Home" status=200`))
  expect(await call('web_snapshot')).toMatch(/- link "Next" .*\[ref=e\d+\]/)
  expect(await call('web_back')).toMatch(/^ok: back|^no_history: /)
  await call('web_open', { url: home })
  await call('web_open', { url: `${home}next.html` })
  expect(await call('web_back')).toContain('title="Home"')
  expect(await call('web_forward')).toContain('title="Next"')
  expect(await call('web_forward')).toMatch(/^no_history: /)
  expect(await call('web_reload')).toContain('title="Next"')
  expect(await call('web_open', { url: `${home}gone` })).toContain('status=404')
  expect(await call('web_close')).toContain('url="about:blank"')
})

test('web_open refuses URLs that run code or read other files (S2-13, S2-14, X0-19)', async () => {
  await using session = await openSession()
  const { execute } = webTools(session.run)
  for (const url of [
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    ' JAVASCRIPT:1',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'view-source:http://a.example/',
  ])
    expect((await execute('web_open', { url })).error?.code, url).toMatch(/^(invalid_url|url_not_allowed)$/)
  const own = fileURLToPath(new URL('../../../examples/shop/index.html', import.meta.url))
  expect((await execute('web_open', { url: `file://${own}` })).ok).toBe(true)
})

test('web_eval runs only where it is allowed (S2-40, S2-53)', async () => {
  await using session = await openSession({ allowEval: true })
  await webTools(session.run).execute('web_open', { url: home })
  expect((await webTools(session.run).execute('web_eval', { js: 'document.title' })).error?.code).toBe('disabled')
  expect((await webTools(session.run, { allowEval: true }).execute('web_eval', { js: 'document.title' })).text).toContain('Home')
})

test("no tool runs the caller's code while web_eval is disabled (TRUST E1)", async ({ task }) => {
  await using session = await openSession({ allowEval: true })
  const { execute } = webTools(session.run)
  await execute('web_open', { url: home })
  await execute('web_snapshot')
  const code = 'globalThis.ran=1'
  const routes: readonly [string, object][] = [
    ['web_eval', { js: code }],
    ['web_open', { url: `javascript:${code}` }],
    ['web_open', { url: `data:text/html,<script>opener?.eval('${code}')</script>` }],
    ['web_tabs', { operation: 'new', url: `javascript:${code}` }],
    ['web_snapshot', { scope: `");${code};("` }],
    ['web_snapshot', { scope: `*{}</style><script>${code}</script>` }],
    ['web_snapshot', { after: `e1");${code}//` }],
    ['web_click', { ref: `e1");${code}//` }],
    ['web_query', { ref: `e1']=${code}`, kind: 'text' }],
    ['web_query', { ref: 'e1', kind: `text");${code}//` }],
    ['web_wait', { selector: `p');${code};//`, timeout_ms: 1 }],
    ['web_wait', { text: `\u2028${code}`, timeout_ms: 1 }],
    ['web_wait', { url: `\`\${${code}}`, timeout_ms: 1 }],
    ['web_press_key', { key: `Enter");${code}//` }],
    ['web_screenshot', { label: `$(${code})` }],
    ['web_scroll', { direction: `up");${code}//` }],
    ['web_fill', { ref: `e1");${code}//`, value: 'x' }],
    ['web_fill', { ref: 'e1', value: `</script><script>${code}</script>` }],
    ['web_type', { ref: 'e1', text: `\u2029${code}\n` }],
    ['web_select', { ref: 'e1', values: [`");${code}//`] }],
    ['web_open', { url: `view-source:javascript:${code}` }],
    ['web_open', { url: `blob:javascript:${code}` }],
    ['web_extract', { query: `");${code}//` }],
    ['web_observe', { query: `\${${code}}` }],
  ]
  task.meta.tries = routes.length
  for (const [name, args] of routes) await execute(name, args)
  const { text } = await webTools(session.run, { allowEval: true }).execute('web_eval', { js: 'String(globalThis.ran)' })
  expect(text).toContain('undefined')
})

test('the browser tool starts, navigates, takes a snapshot and stops (S4-01, S4-35, X4-11)', async () => {
  const started: string[] = []
  const tool = browserTool({
    start: async ({ profile = 'temporary' }) => {
      started.push(profile)
      const session = await openSession()
      return { ok: true, data: { run: session.run, description: profile, close: session.close } }
    },
  })
  const call = async (args: object) => (await tool.execute('browser', args)).text
  expect(await call({ action: 'navigate', target_url: home })).toMatch(/^ok: open/)
  expect(await call({ action: 'snapshot' })).toMatch(/^\[\d+\] link "Next"/m)
  expect(await call({ action: 'status' })).toContain('running: temporary')
  expect(await call({ action: 'stop' })).toBe('ok: stopped')
  expect(started).toEqual(['temporary'])
})

const env = { ...process.env, PAGEHAND_RUNTIME_DIR: join(folder, 'run') }
/** not spawnSync: this process serves the site */
const ran = async (program: string, words: readonly string[], more: NodeJS.ProcessEnv = {}) => {
  const child = spawn(process.execPath, [program, ...words], { env: { ...env, ...more } })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, out, err }
}
const pagehandWith = (more: NodeJS.ProcessEnv, ...words: string[]) => ran(join(folder, 'cli.js'), words, more)
const pagehand = (...words: string[]) => pagehandWith({}, ...words)

test('the CLI keeps a page between commands, and stop leaves no process', { timeout: 120_000 }, async () => {
  expect(await pagehand('open', home)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('title="Home" status=200') })
  expect((await pagehand('snapshot')).out).toMatch(/- link "Next" .*\[ref=e1\]/)
  expect((await pagehand('open', `${home}next.html`)).code).toBe(0)
  expect((await pagehand('extract', '--query', 'tea')).out).toContain('"Tea costs €4."')
  const picture = join(folder, 'page.png')
  expect((await pagehand('screenshot', '--out', picture)).out).toMatch(/^ok: screenshot 1280x720 image\/\w+, \d+ KB, saved .*page\.png\n/)
  expect(statSync(picture).size).toBeGreaterThan(1_000)
  const status = (await pagehand('status')).out
  const pids = [/daemon \S+ pid (\d+)/, /^pid: (\d+)/m].map(form => Number(form.exec(status)?.[1]))
  expect(pids.every(pid => pid > 0)).toBe(true)
  await pagehand('stop')
  await until(async () => (await Promise.all(pids.map(processesInGroup))).flat().length === 0, {
    withinMs: 20_000,
    what: 'the end of host and browser',
  })
})

/** this machine may have browsers and profiles of its user */
const isAlwaysChecked = (check: string) => !/^(own browser|profile )/.test(check)

test('doctor reports the browser in use and the reason', { timeout: 120_000 }, async () => {
  const { out, code } = await pagehand('doctor', '--json')
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: { check: string; message: string }[] }
  expect({ ok, code }).toEqual({ ok: true, code: 0 })
  expect(findings.map(({ check }) => check).filter(isAlwaysChecked)).toEqual([
    'Node',
    'browser',
    'start',
    'sandbox',
    'display',
    'extension',
    'fonts',
    'daemon',
  ])
  expect(findings.find(({ check }) => check === 'browser')?.message).toMatch(/because/)
  expect((await pagehand('install')).out).toMatch(/^nothing to do: /)
})

test('without a browser, doctor reports it once with one remedy and skips dependent checks', async () => {
  const given = { PAGEHAND_CHROME: '/nowhere/chrome' }
  const { out, code } = await pagehandWith(given, 'doctor', '--json')
  const { findings } = JSON.parse(out) as { findings: { check: string }[] }
  const checks = findings.map(({ check }) => check).filter(isAlwaysChecked)
  expect({ code, checks }).toEqual({ code: 1, checks: ['Node', 'browser', 'display', 'extension', 'fonts', 'daemon'] })
  const text = (await pagehandWith(given, 'doctor')).out
  expect(text.match(/nowhere/g)).toHaveLength(1)
  expect(text.match(/^fix /gm)).toHaveLength(1)
})

test('a browser installed later is found by the next command', { timeout: 120_000 }, async () => {
  const own = { PAGEHAND_RUNTIME_DIR: join(folder, 'late') }
  const { code, err } = await pagehandWith({ ...own, PAGEHAND_CHROME: '/nowhere/chrome' }, 'open', home)
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^browser_not_found: .*pagehand install.*\n$/) })
  expect(await pagehandWith(own, 'open', home)).toMatchObject({ code: 0, err: '' })
  await pagehandWith(own, 'stop')
})

const installed = knownLocations({ env: process.env, platform: process.platform, headless: true }).some(existsSync)
test.skipIf(installed || process.env.PAGEHAND_CHROME || process.platform !== 'linux' || process.arch !== 'x64')(
  'install uses what npm has just installed',
  { timeout: 120_000 },
  async () => {
    const apart = mkdtempSync(join(tmpdir(), 'pagehand-install-'))
    try {
      const program = join(apart, 'node_modules', 'pagehand', 'dist')
      cpSync(folder, program, { recursive: true, filter: file => file === folder || /\.js(on)?$/.test(file) })
      // npm without the network: links the package of this work tree
      const own = fileURLToPath(new URL('../../../node_modules/@sparticuz', import.meta.url))
      mkdirSync(join(apart, 'bin'))
      writeFileSync(join(apart, 'bin', 'npm'), `#!/bin/sh\nln -s "${own}" node_modules/@sparticuz\n`, { mode: 0o755 })
      const given = { PATH: `${join(apart, 'bin')}:${process.env.PATH}` }
      const run = (...words: string[]) => ran(join(program, 'cli.js'), words, given)
      expect(await run('open', home)).toMatchObject({
        code: 1,
        err: expect.stringMatching(
          /^browser_not_found: .*; 3\. the npm package @sparticuz\/chromium: it is not installed\. Run npx pagehand install, .*\n$/,
        ),
      })
      const { code, out } = await run('install')
      expect(out).toMatch(/^ok {3}browser: .*@sparticuz\/chromium$/m)
      expect(out).toMatch(/^ok {3}start: /m)
      expect(code).toBe(0)
    } finally {
      rmSync(apart, { recursive: true, force: true })
    }
  },
)

test('a user profile may have any name, and a model can only use listed profiles', { timeout: 120_000 }, async () => {
  const data = mkdtempSync(join(tmpdir(), 'pagehand-data-'))
  const own = { PAGEHAND_RUNTIME_DIR: join(folder, 'profiles'), XDG_DATA_HOME: data }
  const profiles = join(data, 'pagehand', 'profiles')
  try {
    expect(await pagehandWith(own, 'open', home, '--profile', 'mine')).toMatchObject({ code: 0, err: '' })
    expect((await pagehandWith(own, 'status')).out).toContain('profile: "mine"')
    await pagehandWith(own, 'stop')
    await until(() => !existsSync(join(profiles, 'mine', 'pagehand-owner.json')), { what: 'the end of the browser' })
    expect(readdirSync(profiles)).toEqual(['mine'])
    mkdirSync(join(profiles, 'private'))
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(folder, 'cli.js'), 'mcp', '--tools', 'browser', '--profile', 'mine'],
      env: { ...env, ...own } as Record<string, string>,
      stderr: 'pipe',
    })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    const start = async (args: object) =>
      JSON.stringify((await client.callTool({ name: 'browser', arguments: { action: 'start', ...args } })).content)
    for (const profile of ['private', 'new'])
      expect(await start({ profile })).toContain(`There is no profile \\"${profile}\\". There are: temporary, mine.`)
    expect(await start({ profile: 'mine' })).toContain('ok: started: mine')
    await client.close()
    expect(readdirSync(profiles).sort()).toEqual(['mine', 'private'])
    await until(() => !existsSync(join(profiles, 'mine', 'pagehand-owner.json')), { what: 'the end of the browser' })
  } finally {
    rmSync(data, { recursive: true, force: true, maxRetries: 5 })
  }
})

test('an MCP client drives a page; the browser starts with the first call and ends with the client', {
  timeout: 120_000,
}, async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(folder, 'cli.js'), 'mcp', '--viewport', '800x600', '--allow-eval'],
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    JSON.stringify((await client.callTool({ name, arguments: args })).content)
  await client.listTools()
  const server = transport.pid as number
  expect(await childrenOf(server)).toEqual([])
  expect(await call('web_open', { url: home })).toContain('ok: open')
  const browsers = await childrenOf(server)
  expect(browsers.length).toBeGreaterThan(0)
  expect(await call('web_snapshot')).toContain('viewport=800x600')
  expect(await call('web_eval', { js: '6 * 7' })).toContain('42')
  await client.close()
  await until(async () => (await Promise.all(browsers.map(processesInGroup))).flat().length === 0, {
    withinMs: 20_000,
    what: 'the end of the browser',
  })
})

const login = `<title>Login</title><label>User <input></label><label>Password <input type=password></label><p id=out></p>
  <script>oninput = () => { out.textContent = [...document.querySelectorAll('input')].map(each => each.value.length).join(' ') }</script>`

/** a file of secrets for the site, and its page with a user and a password */
function loginPage() {
  const { url } = site.add({ '': login })
  const secrets = join(folder, 'secrets.json')
  writeFileSync(secrets, JSON.stringify({ SHOP: { value: 'hunter2-long', origins: [new URL(url).origin] } }), { mode: 0o600 })
  return { url, secrets }
}
const refIn = (snapshot: string, field: string) => new RegExp(`${field}.*?\\[ref=(\\w+)\\]`).exec(snapshot)?.[1] ?? ''

test('the CLI reads words from standard input, and a file of secrets gives only names to the model (A4)', {
  timeout: 120_000,
}, async () => {
  const { url, secrets } = loginPage()
  const more = { PAGEHAND_RUNTIME_DIR: join(folder, 'secrets') }
  const run = async (words: readonly string[], input = '') => {
    const child = spawn(process.execPath, [join(folder, 'cli.js'), ...words], { env: { ...env, ...more } })
    child.stdin.end(input)
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return out + err
  }
  try {
    const said = [await run(['open', url, '--secrets', secrets]), await run(['snapshot'])]
    const [user, password] = ['User', 'Password'].map(field => refIn(said.join('\n'), field)) as [string, string]
    // a line break at the end belongs to the shell, not to the value
    said.push(await run(['fill', user, '-'], 'Ann from stdin\n'), await run(['type', user, '-'], '!\n'))
    said.push(await run(['fill', password, '{{secret:SHOP}}']), await run(['snapshot', '--no-interactive-only']), await run(['status']))
    expect(said.join('\n')).toContain('15 12')
    expect(said.at(-2)).toContain('Ann from stdin!')
    expect(said.at(-1)).toContain('SHOP')
    said.push(
      await run(['fill', password, '-'], 'typed-by-hand-77\n'),
      await run(['snapshot', '--no-interactive-only']),
      await run(['query', password, 'value']),
    )
    expect(said.at(-2)).toContain('15 16')
    expect(said.join('\n')).not.toMatch(/hunter2|typed-by-hand/)
    expect(await run(['open', url, '--session', 'other', '--secrets', join(folder, 'package.json')])).toMatch(
      /cannot be used: others can read/,
    )
  } finally {
    await run(['stop'])
  }
})

test('the CLI ends a session at its limits, and status shows what is used (E3)', { timeout: 120_000 }, async () => {
  const more = { PAGEHAND_RUNTIME_DIR: join(folder, 'limits') }
  try {
    await pagehandWith(more, 'open', home, '--max-steps', '3', '--max-time', '600', '--total-chars', '100000')
    await pagehandWith(more, 'snapshot')
    expect((await pagehandWith(more, 'snapshot')).out).toContain('3 of 3 steps')
    expect(await pagehandWith(more, 'snapshot')).toMatchObject({ code: 1, err: expect.stringContaining('budget_exhausted') })
    expect((await pagehandWith(more, 'status')).out).toMatch(
      /limits: \{"steps":\{"used":3,"limit":3\},"timeMs":\{"used":\d+,"limit":600000\}/,
    )
    for (const words of [
      ['--max-steps', '0'],
      ['--total-chars', 'many'],
    ])
      expect(await pagehandWith(more, 'open', home, '--session', 'x', ...words)).toMatchObject({ code: 2 })
  } finally {
    await pagehandWith(more, 'stop')
  }
})

test('the MCP server enters named secrets without telling their value, and ends at its limits (A4, E3)', { timeout: 120_000 }, async () => {
  const { url, secrets } = loginPage()
  const args = [join(folder, 'cli.js'), 'mcp', '--secrets', secrets, '--max-steps', '4']
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' }))
  try {
    expect(client.getInstructions()).toContain('{{secret:SHOP}}')
    const said = [client.getInstructions() ?? '']
    const call = async (name: string, given: Record<string, unknown> = {}) => {
      said.push(JSON.stringify((await client.callTool({ name, arguments: given })).content))
      return said.at(-1) ?? ''
    }
    await call('web_open', { url })
    const ref = refIn(await call('web_snapshot'), 'Password')
    await call('web_fill', { ref, value: '{{secret:SHOP}}' })
    expect(await call('web_snapshot', { interactive_only: false })).toContain('0 12')
    expect(await call('web_snapshot')).toContain('budget_exhausted')
    expect(said.join('\n')).not.toContain('hunter2')
  } finally {
    await client.close()
  }
})

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return stdout.split('\n').map(Number).filter(Boolean)
}
