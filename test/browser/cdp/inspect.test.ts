import { expect, test } from 'vitest'
import { explain } from '../../../src/tools.ts'
import { openCdpPage } from '../../support/cdp-page.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { openScriptPage } from '../../support/script-page.ts'
import { openTestSession } from '../../support/test-session.ts'

const shop = `<base href="https://shop.test/a/"><main><form aria-label=Checkout action=pay method=post>
<label>Name <input name=name></label><label>Password <input type=password name=p></label><textarea aria-label=Note></textarea>
<button>Buy <b>now</b></button><button type=button>Help</button><button formaction="https://evil.test/x" formmethod=get>Compare</button></form>
<ul><li>Green tea <a href="file.pdf" download>Get</a></li><li>Black tea <a href=/tea><img alt=Photo src=x></a></li></ul>
<div role=button tabindex=0>Delete</div><span tabindex=0><button form=other>Inside</button></span><form id=other action=/o></form></main>`

const facts = {
  'button "Buy now"': {
    role: 'button',
    tag: 'button',
    type: 'submit',
    path: 'main > form "Checkout"',
    submits: { action: 'https://shop.test/a/pay', method: 'post' },
    text: 'Buy now',
  },
  'button "Compare"': { submits: { action: 'https://evil.test/x', method: 'get' } },
  'textbox "Name"': { type: 'text', enterSubmits: { action: 'https://shop.test/a/pay', method: 'post', button: 'Buy now' } },
  'textbox "Password"': { secret: true, type: 'password' },
  'link "Get"': { href: 'https://shop.test/a/file.pdf', download: true, path: 'main > list > listitem "Green tea Get"' },
  'link "Photo"': { href: 'https://shop.test/tea' },
  'button "Delete"': { tag: 'div', role: 'button', text: 'Delete' },
  'button "Inside"': { submits: { action: 'https://shop.test/o', method: 'get' } },
}

test('inspect reports what an element is and what a click or Enter on it does (S3-20)', async () => {
  await using page = await openCdpPage(shop)
  for (const [query, expected] of Object.entries(facts))
    expect(await page.do('inspect', { ref: await page.ref(query) }), query).toMatchObject({
      ...expected,
      url: page.url,
      origin: new URL(page.url).origin,
    })
  expect(await page.do('inspect', { ref: await page.ref('button "Help"') })).not.toHaveProperty('submits')
  expect(await page.do('inspect', { ref: await page.ref('textbox "Note"') })).not.toHaveProperty('enterSubmits')
  expect(await page.do('inspect', { ref: await page.ref('textbox "Password"') })).not.toHaveProperty('text')
  await expect(page.do('inspect', { ref: 'e999' })).rejects.toThrow(/ref_not_found/)
})

test('the script of a WebView reports the same facts (S3-20)', async () => {
  await using page = await openScriptPage(shop)
  for (const [query, expected] of Object.entries(facts))
    expect(await page.call('inspect', { ref: await page.ref(query) }), query).toMatchObject({
      ok: true,
      data: { ...expected, url: page.url, origin: new URL(page.url).origin },
    })
})

test('inspect without a ref reports the element that keys go to, also in a frame of another origin (S3-20)', async () => {
  await using other = await serve(sendHtml('<form action=/go><input aria-label=Inner></form>'))
  const frame = other.other
  await using session = await openTestSession({ html: `<input aria-label=Outer><iframe src="${frame}"></iframe>` }, {})
  expect(await session.do('inspect')).toMatchObject({ tag: 'body' })
  await session.do('focus', { ref: await session.ref('textbox "Outer"') })
  expect(await session.do('inspect')).toMatchObject({ name: 'Outer', url: session.url })
  await session.do('focus', { ref: await session.ref('textbox "Inner"') })
  expect(await session.do('inspect')).toMatchObject({
    name: 'Inner',
    url: session.url,
    origin: new URL(frame).origin,
    enterSubmits: { action: new URL('/go', frame).href, method: 'get' },
  })
})

const overlays: readonly [string, string][] = [
  ['a fixed box', '<div style="position:fixed;top:100px;left:100px"><h2>Delete 3 files?</h2><button>OK</button></div>'],
  [
    'an absolute box in front of the page',
    '<main style="position:relative"><p>Files</p><div style="position:absolute;z-index:10;top:100px"><h2>Delete 3 files?</h2><div><button>OK</button></div></div></main>',
  ],
]

test.each(overlays)('the words of a modal without a role are those of %s around the button (TRUST G2)', async (_, html) => {
  await using page = await openCdpPage(html)
  const ref = await page.ref('button "OK"')
  expect((await page.do('inspect', { ref })).dialog).toContain('Delete 3 files?')
  expect((await explain(page.session.run, { name: 'click', ref })).classes).toContain('delete')
})

test('an application in an absolute box as large as the viewport is no dialog', async () => {
  await using page = await openCdpPage(
    '<div style="position:absolute;z-index:0;inset:0"><p>Delete 3 files?</p><button>Continue</button></div>',
  )
  expect((await page.do('inspect', { ref: await page.ref('Continue') })).dialog).toBeUndefined()
})
