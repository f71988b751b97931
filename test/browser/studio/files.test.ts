import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendHtml, serve } from '../../support/http-server.ts'
import { call, close, refIn, type Turn } from '../../support/scripted-model.ts'
import { chatOf, StudioWindows, send } from '../../support/studio-windows.ts'

let windows: StudioWindows
let site: Awaited<ReturnType<typeof serve>>
const bodies: string[] = []
const form = `<title>Files</title><a href="/report.csv" download>Download report</a>
<form method=post enctype=multipart/form-data><label>Your file <input type=file name=given></label><button>Send file</button></form>`
beforeAll(async () => {
  site = await serve(async (request, response) => {
    if (request.url === '/report.csv')
      return void response
        .writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="../re<b>port.csv"' })
        .end('a,b\n1,2\n')
    let body = ''
    for await (const chunk of request) body += String(chunk)
    if (request.method === 'POST') bodies.push(body)
    sendHtml(request.method === 'POST' ? '<title>Thank you</title><h1>Thank you</h1>' : form)(request, response)
  })
  windows = await StudioWindows.open()
}, 300_000)
afterAll(async () => {
  await windows?.close()
  await site[Symbol.asyncDispose]()
})

/** It is disabled until all files of the draft have arrived. */
const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
const openSite = () => call('open-url', { url: site.url })
const upload =
  (...files: string[]): Turn =>
  (_, all) =>
    call('browser-act', { action: 'upload', ref: refIn(all, 'button "Your file"'), files })
const sendFile: Turn = (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Send file"') })
const tell: Turn = (last: string) => close(`Heard: ${last.replace(/\s+/g, ' ').slice(0, 600)}`)

test('a file of a page lands in the folder of the run, and the chat offers to save it', async () => {
  windows.script = [
    openSite(),
    (_, all) => call('browser-act', { action: 'click', ref: refIn(all, 'link "Download report"') }),
    call('browser-wait', { timeout: 100 }),
    close('Done.'),
  ]
  const page = await windows.openWindow()
  await send(page, `Download the report of ${site.url}`)
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('Report: Done.').waitFor()
  const save = page.getByRole('link', { name: /^Save .*port\.csv$/ })
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
  expect(await readFile(await download.path(), 'utf8')).toBe('a,b\n1,2\n')
  const [run] = await windows.running.studio.runs({ search: 'Download the report' })
  const folder = join(windows.folder, 'runs', run?.id ?? '', 'downloads')
  const [name = ''] = await readdir(folder)
  expect(name).toMatch(/^[\w ._]+port\.csv$/)
  if (process.platform !== 'win32') {
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  }
  expect(await readdir(join(windows.folder, 'downloads'))).toEqual([])
  await page.reload()
  await save.waitFor()
  await page.context().close()
})

test('a file that was attached to the message is uploaded by its name; the question names it with its size', async () => {
  bodies.length = 0
  windows.script = [openSite(), upload('notes.txt'), sendFile, tell]
  const page = await windows.openWindow()
  await page.locator('#composer').fill(`Send the file to ${site.url}`)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('remember the milk') })
  await page.getByRole('list', { name: 'Attached files' }).getByText('17 B').waitFor()
  await sendButton(page).click()
  await page.getByText('Upload notes.txt (17 B) to button “Your file”', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('Allowed once by you').first().waitFor()
  await page.getByRole('heading', { name: 'Allow this action?' }).waitFor()
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('Report: Heard:').waitFor()
  expect(bodies.join()).toContain('remember the milk')
  expect(bodies.join()).toContain('filename="notes.txt"')
  const stored = join(windows.folder, 'files', chatOf(page), 'notes.txt')
  if (process.platform !== 'win32') expect((await stat(stored)).mode & 0o777).toBe(0o600)
  await page.context().close()
})

test.each(['/etc/passwd', '../../database', 'other.txt', 'draft.txt'])(
  'an upload of %s, which no message has, is refused before anybody is asked',
  async file => {
    windows.script = [openSite(), upload(file), tell]
    const page = await windows.openWindow()
    await page.locator('input[type=file]').setInputFiles([
      { name: 'draft.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
      { name: 'kept.txt', mimeType: 'text/plain', buffer: Buffer.from('y') },
    ])
    await page.getByRole('button', { name: 'Remove draft.txt' }).click()
    await page.getByRole('button', { name: 'Remove kept.txt' }).waitFor()
    await page.locator('#composer').fill(`Send a file to ${site.url}`)
    await sendButton(page).click()
    await page.getByText(/Report: Heard: .*Only files that the user attached to a message can be uploaded, by name: "kept.txt"/).waitFor()
    expect(await page.getByText('Upload').count()).toBeGreaterThan(0)
    expect((await windows.running.studio.waiting()).approvals).toEqual([])
    expect(await page.getByText('by you').count()).toBe(0)
    await page.context().close()
  },
)

test('a file that is dropped on the message field is attached, and a file that is too large is refused in words', async () => {
  const page = await windows.openWindow()
  const transfer = await page.evaluateHandle(() => {
    const given = new DataTransfer()
    given.items.add(new File(['dropped'], '../we<i>rd.txt'))
    return given
  })
  const composer = page.locator('form', { has: page.locator('#composer') })
  await composer.dispatchEvent('dragover', { dataTransfer: transfer })
  await composer.dispatchEvent('drop', { dataTransfer: transfer })
  await page.getByRole('button', { name: 'Remove we_i_rd.txt' }).waitFor()
  const large = await page.evaluateHandle(() => {
    const given = new DataTransfer()
    given.items.add(new File([new Uint8Array(50_000_001)], 'large.bin'))
    return given
  })
  await composer.dispatchEvent('drop', { dataTransfer: large })
  await page.getByText('The file is too large').waitFor()
  await page.context().close()
})
