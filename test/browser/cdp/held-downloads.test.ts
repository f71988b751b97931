// Downloads under approvals: whatever starts one, its file is in the folder only once it is allowed.
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalPolicy } from '../../../src/approval/approval-policy.ts'
import type { ApprovalRequest, ApprovalRule, Approve } from '../../../src/contract/approval.ts'
import { notesOf } from '../../../src/contract/notes.ts'
import { type AnyRun, type Result, wrap } from '../../../src/contract/run.ts'
import { fileRunStore, recordRun } from '../../../src/evidence.ts'
import { createTemporaryRoot } from '../../../src/home/private-folder.ts'
import { approvalLayer } from '../../../src/tools.ts'
import { serve } from '../../support/http-server.ts'
import { openTestSession } from '../../support/test-session.ts'

const button = (script: string) => `<button type=button onclick="${script}">Next page</button>`
const blob = `const a = document.createElement('a'); a.href = window.URL.createObjectURL(new Blob(['the words']));
a.download = 'report.txt'; a.click()`
/** Every way in which a click starts a download. */
const ways: { readonly [way: string]: { readonly html: string; readonly modifiers?: readonly string[] } } = {
  'a link that answers with an attachment': { html: '<a href=/file>Next page</a>' },
  'a link with the attribute download': { html: '<a href=/file download>Next page</a>' },
  'Alt and a click on a link': { html: '<a href=/report.txt>Next page</a>', modifiers: ['Alt'] },
  'a script that clicks a link to a blob': { html: button(blob) },
  'a window that a script opens': { html: button(`window.open('/file')`) },
  'a form whose answer is an attachment': { html: '<form method=post action=/file><button>Next page</button></form>' },
  'a frame that goes to an attachment': { html: `<iframe></iframe>${button(`document.querySelector('iframe').src = '/file'`)}` },
}
const isAskedBefore = (way: string) => way.includes('the attribute download')
const yes = { approved: true, scope: 'once', by: 'ann', at: '2026-01-01T00:00:00.000Z' } as const

interface SiteOptions {
  readonly rule: ApprovalRule
  readonly policy?: ApprovalPolicy
  readonly approve?: Approve
}

/** A site that answers with attachments, and a run on it that saves downloads with approvals. */
async function openSite(html: string, { rule, policy = { classes: { download: rule, submit: 'allow' } }, approve }: SiteOptions) {
  let go = () => {}
  const site = await serve((request, response) => {
    if (request.url === '/go') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      go = () => response.end('data: go\n\n')
      return
    }
    const isFile = request.url === '/file' || request.url === '/report.txt'
    const attachment = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="report.txt"' }
    if (isFile) response.writeHead(200, request.url === '/file' ? attachment : { 'content-type': 'text/plain' }).end('the words')
    else response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Site</title>${html}`)
  })
  const folder = mkdtempSync(join(tmpdir(), 'pagehand-downloads-'))
  const page = await openTestSession({}, { downloads: { folder } })
  const store = fileRunStore({ folder: mkdtempSync(join(tmpdir(), 'pagehand-runs-')) })
  const journal = await store.create()
  const asked: ApprovalRequest[] = []
  const asking = approvalLayer({
    journal,
    sites: [new URL(site.url).host],
    policy,
    picture: false,
    approve: async (request, signal) => {
      asked.push(request)
      return approve?.(request, signal) ?? 'pending'
    },
  })
  const layered = wrap(page.session.run, asking, recordRun(journal).layer) as AnyRun
  const notes: string[] = []
  const run: AnyRun = async (command, signal) => {
    const result = await layered(command, signal)
    notes.push(...notesOf(result))
    return result
  }
  await run({ name: 'open', url: site.url })
  return {
    site,
    page,
    run,
    store,
    asked,
    notes,
    /** the server tells the page to go on */
    go: () => go(),
    saved: () => readdirSync(folder),
    text: () => readFileSync(join(folder, 'report.txt'), 'utf8'),
    click: async (modifiers?: readonly string[]) =>
      run({ name: 'click', ref: await page.ref('Next page'), ...(modifiers && { modifiers }) }),
    /** Reads the page until the notes say so: a download may begin after the action has ended. */
    until: (words: RegExp) =>
      expect
        .poll(async () => {
          await run({ name: 'snapshot' })
          return notes.join('\n')
        })
        .toMatch(words),
    async [Symbol.asyncDispose]() {
      await page[Symbol.asyncDispose]()
      await journal.close()
      await site[Symbol.asyncDispose]()
    },
  }
}

const codeOf = (result: Result) => (result.ok ? 'ok' : result.error.code)

/** The files that wait in the private folders of this process. */
function waiting(): readonly string[] {
  const root = createTemporaryRoot()
  return readdirSync(root)
    .filter(name => name.startsWith('downloads-'))
    .map(name => join(root, name))
    .filter(
      each =>
        existsSync(join(each, 'pagehand-owner.json')) &&
        JSON.parse(readFileSync(join(each, 'pagehand-owner.json'), 'utf8')).pid === process.pid,
    )
    .flatMap(each => readdirSync(each).map(name => join(each, name)))
    .filter(file => !file.endsWith('pagehand-owner.json'))
}

test.each(Object.entries(ways))(
  'a download by %s is deleted where the policy denies downloads (TRUST B5)',
  async (way, { html, modifiers }) => {
    await using site = await openSite(html, { rule: 'deny' })
    const result = await site.click(modifiers)
    if (isAskedBefore(way)) expect(codeOf(result)).toBe('approval_denied')
    else {
      expect(codeOf(result)).toBe('ok')
      await site.until(/approval_denied: the policy denies downloads here; "report.txt" was deleted/)
      await expect.poll(waiting).toEqual([])
    }
    expect(site.asked).toEqual([])
    expect(site.saved()).toEqual([])
  },
)

test.each(Object.entries(ways))(
  'a download by %s is saved where the policy allows downloads (TRUST B5)',
  async (_, { html, modifiers }) => {
    await using site = await openSite(html, { rule: 'allow' })
    expect(codeOf(await site.click(modifiers))).toBe('ok')
    await site.until(/Downloaded "report.txt" \(9 bytes\)/)
    expect(site.saved()).toEqual(['report.txt'])
    expect(site.text()).toBe('the words')
    expect(site.asked).toEqual([])
  },
)

test.each(Object.entries(ways))(
  'a download by %s is asked about once, and saved after the approval (TRUST B5)',
  async (way, { html, modifiers }) => {
    await using site = await openSite(html, {
      rule: 'ask',
      approve: async () => {
        expect(site.saved()).toEqual([])
        return yes
      },
    })
    expect(codeOf(await site.click(modifiers))).toBe('ok')
    await site.until(/Downloaded "report.txt" \(9 bytes\)/)
    expect(site.saved()).toEqual(['report.txt'])
    await site.run({ name: 'snapshot' })
    expect(site.asked.map(({ classes }) => classes.includes('download'))).toEqual([true])
    if (!isAskedBefore(way)) expect(site.asked[0]).toMatchObject({ classes: ['download'], files: [{ path: 'report.txt' }] })
    const records = await site.store.approvals()
    expect(records.map(({ state }) => state)).toEqual(['used'])
  },
)

test.each(Object.entries(ways))(
  'a download by %s waits for the answer of a person, and is saved once after it (TRUST B5)',
  async (way, each) => {
    await using site = await openSite(each.html, { rule: 'ask' })
    const result = await site.click(each.modifiers)
    if (isAskedBefore(way)) expect(codeOf(result)).toBe('approval_required')
    else {
      expect(codeOf(result)).toBe('ok')
      await site.until(/approval_required: a person must approve the download of "report.txt" first: request \w+/)
    }
    expect(site.saved()).toEqual([])
    const [request, ...others] = await site.store.approvals({ pending: true })
    expect(others).toEqual([])
    await site.store.decide(request?.request.id ?? '', yes)
    if (isAskedBefore(way)) await site.click(each.modifiers)
    await site.until(/Downloaded "report.txt" \(9 bytes\)/)
    await site.run({ name: 'snapshot' })
    expect(site.saved()).toEqual(['report.txt'])
    expect(site.notes.filter(note => note.startsWith('approval_required'))).toHaveLength(isAskedBefore(way) ? 0 : 1)
    expect((await site.store.approvals()).map(({ state }) => state)).toEqual(['used'])
  },
)

test.each(Object.entries(ways))(
  'a download by %s is deleted if a person does not approve it (TRUST B5)',
  async (way, { html, modifiers }) => {
    await using site = await openSite(html, { rule: 'ask', approve: async () => ({ approved: false, scope: 'once', reason: 'too big' }) })
    const result = await site.click(modifiers)
    if (isAskedBefore(way)) expect(codeOf(result)).toBe('approval_denied')
    else await site.until(/approval_denied: the user did not approve the download of "report.txt": "too big". The file was deleted./)
    await expect.poll(waiting).toEqual([])
    expect(site.saved()).toEqual([])
    expect(site.asked).toHaveLength(1)
  },
)

test('files that wait are deleted when the session is closed, and their requests lead to nothing (TRUST B5)', async () => {
  const site = await openSite('<a href=/file>Next page</a>', { rule: 'ask' })
  await site.click()
  await site.until(/approval_required/)
  await expect.poll(waiting).toHaveLength(1)
  await site[Symbol.asyncDispose]()
  expect(waiting()).toEqual([])
  expect(site.saved()).toEqual([])
})

test('a download that the page starts between two commands is held, and asked about with the next one (TRUST B5)', async () => {
  const html = `<script>onload = () => { new EventSource('/go').onmessage = () => { location = '/file' } }</script>`
  await using site = await openSite(html, { rule: 'ask', approve: async () => yes })
  site.go()
  await expect.poll(waiting).toHaveLength(1)
  expect([site.asked, site.saved()]).toEqual([[], []])
  await site.run({ name: 'snapshot' })
  expect(site.asked).toHaveLength(1)
  await site.until(/Downloaded "report.txt"/)
  expect(site.saved()).toEqual(['report.txt'])
})

test('an answer for the site covers its later downloads, and a rule of another site does not (TRUST B5)', async () => {
  await using site = await openSite('<a href=/file>Next page</a>', {
    rule: 'ask',
    policy: { origins: [{ origin: 'https://other.example', classes: { download: 'allow' } }] },
    approve: async () => ({ approved: true, scope: 'run' }),
  })
  await site.click()
  await site.until(/Downloaded "report.txt"/)
  await site.click()
  await site.until(/Downloaded "report \(2\).txt"/)
  expect(site.asked).toHaveLength(1)
  expect(site.asked[0]?.rule).toBe(`allow download on ${new URL(site.site.url).origin}`)
})

test('a session without approvals saves downloads as they end', async () => {
  await using site = await openSite('<a href=/file>Next page</a>', { rule: 'deny' })
  const folder = mkdtempSync(join(tmpdir(), 'pagehand-downloads-'))
  await using plain = await openTestSession({}, { downloads: { folder } })
  await plain.do('open', { url: site.site.url })
  await plain.do('click', { ref: await plain.ref('Next page') })
  await expect.poll(() => readdirSync(folder)).toEqual(['report.txt'])
})
