import { expect, test } from 'vitest'
import { openCdpPage } from '../../support/cdp-page.ts'
import { openScriptPage } from '../../support/script-page.ts'

const chat = `<div id=chat style="position:fixed;right:0;bottom:0;width:300px"><h2>Chat</h2><p>How can we help?</p>
  <input aria-label=Message><button onclick="this.textContent = 'Sent'">Send</button></div>`
const consent = `<div style="position:fixed;inset:0;background:#0008"><div style="position:absolute;left:30%;top:30%;width:400px;height:200px;background:#fff">
  <p>You accept a charge of $500.</p><button onclick="this.closest('[style*=inset]').remove()">Accept</button></div></div>`
const page = (
  widget: string,
) => `<!doctype html><html><head><title>Shop</title><meta charset=utf-8></head><body><h1>Lamps</h1><p>Many lamps</p>
  ${'<p><a href=/a>A lamp</a></p>'.repeat(12)}</body></html><script>
  const holder = document.createElement('div'); holder.innerHTML = ${JSON.stringify(widget)}
  document.documentElement.append(...holder.children)</script>`

test('elements beside the body are in the snapshot, are read and can be used', async () => {
  await using session = await openCdpPage(page(chat))
  expect(await session.evaluate('chat.parentNode.tagName')).toBe('HTML')
  for (const interactiveOnly of [true, false]) expect(await session.text({ interactiveOnly })).toMatch(/Lamps[\s\S]*How can we help\?/)
  await session.do('fill', { ref: await session.ref('Message'), value: 'Hello' })
  await session.do('click', { ref: await session.ref('button "Send"') })
  expect(await session.text()).toContain('button "Sent"')
  await session.do('wait', { text: 'How can we help?', timeoutMs: 5_000 })
})

test('a modal beside the body is the topmost dialog, and what it covers is counted', async () => {
  await using session = await openCdpPage(page(consent))
  const text = await session.text()
  expect(text).toMatch(/dialog=e\d+/)
  expect(text).toContain('You accept a charge of $500.')
  expect(text).not.toContain('A lamp')
  await session.do('click', { ref: await session.ref('button "Accept"') })
  expect(await session.text()).toContain('A lamp')
})

test('the script reads elements beside the body, also in a frame', async () => {
  await using script = await openScriptPage(`<h1>Outside</h1><iframe src="inner.html" style="width:900px;height:500px"></iframe>`, {
    files: { 'inner.html': page(chat) },
  })
  const text = await script.text({ interactiveOnly: false })
  expect(text).toMatch(/Lamps[\s\S]*How can we help\?[\s\S]*button "Send"/)
  expect((await script.act(await script.ref('button "Send"'), 'click')).ok).toBe(true)
  expect(await script.text()).toContain('button "Sent"')
})

test('a scope of the body leaves out what is beside it', async () => {
  await using script = await openScriptPage(page(chat))
  expect(await script.text({ scope: 'body', interactiveOnly: false })).not.toContain('How can we help?')
})

const labelled: readonly (readonly [html: string, line: RegExp])[] = [
  ['<h1 aria-label="Free">$500</h1>', /heading "Free".*: "\$500"/],
  ['<div role=heading aria-level=2 aria-label="Free"><b>Pay</b> $500</div>', /heading "Free".*: "Pay \$500"/],
  ['<h2 aria-label="About our lamps">Our lamps</h2>', /heading "About our lamps" [^:"]*$/],
  ['<h2 aria-label="Close">×</h2>', /heading "Close" [^:"]*$/],
  ['<h2 aria-label="Free">$5<span style="display:none">00</span></h2>', /heading "Free".*: "\$5"/],
  ['<h2>Lamps</h2>', /heading "Lamps" [^:"]*$/],
  ['<a href=/a aria-label="Free">$500</a>', /link "Free".*: "\$500"/],
  ['<button aria-label="Free">$500</button>', /button "Free".*: "\$500"/],
  ['<summary role=button tabindex=0 aria-label="Free">$500</summary>', /button "Free".*: "\$500"/],
  ['<div role=tab tabindex=0 aria-label="Free">$500</div>', /tab "Free".*: "\$500"/],
  ['<ul><li aria-label="Free">$500</li><li>b</li></ul>', /\$500/],
  ['<div role=img aria-label="Free">$500</div>', /\$500/],
  ['<div role=region aria-label="Free">$500</div>', /\$500/],
  ['<table><tr><td aria-label="Free">$500</td><td>b</td></tr></table>', /\$500/],
  ['<input type=checkbox id=c aria-label="Free"><label for=c>I pay $500</label>', /checkbox "Free".*: "I pay \$500"/],
  ['<label>I pay $500 <input type=checkbox aria-label="Free"></label>', /checkbox "Free".*: "I pay \$500"/],
  ['<label aria-label="Free">I pay $500 <input type=radio></label>', /radio "Free".*: "I pay \$500"/],
  ['<label for=t>Amount to pay</label><input id=t aria-label="Age">', /textbox "Age".*: "Amount to pay"/],
  ['<label for=t>Email</label><input id=t aria-label="Your email address">', /textbox "Your email address" \[ref=\w+\]$/],
  ['<label for=t>Email</label><input id=t>', /textbox "Email" \[ref=\w+\]$/],
]

test.each(labelled)('visible words are shown beside the name that an attribute gives: %s', async (html, line) => {
  await using script = await openScriptPage(`<main>${html}</main>`)
  const text = await script.text({ interactiveOnly: false })
  expect(text.split('\n').map(each => each.trim().replace(/^- /, ''))).toContainEqual(expect.stringMatching(line))
})
