import { expect, test } from 'vitest'
import type { NamedSecret } from '../../../src/browser.ts'
import { type CdpPage, openCdpPage } from '../../support/cdp-page.ts'
import { openTestSession } from '../../support/test-session.ts'

// Two values of a secret must give the same picture: whatever can be seen of them would differ.
const values = ['Zq7-Tiger-9Fx!', 'mmW8#xx_Lemon4'] as const

const fields: { readonly [name: string]: string } = {
  password: '<input type=password aria-label=F>',
  'password with a longer value': '<input type=password aria-label=F>',
  'shown password': '<input type=password aria-label=F><script>document.querySelector("input").type = "text"</script>',
  'password that a button shows':
    "<input type=password aria-label=F><button onclick=\"document.querySelector('input').type = 'text'\">Show</button>",
  'one-time code': '<input autocomplete=one-time-code aria-label=F>',
  'card number': '<label>Card number <input aria-label=F name=card_number></label>',
  'text area': '<textarea name=api_token aria-label=F></textarea>',
  'transparent field on a picture':
    '<div style="background: repeating-linear-gradient(45deg, red, blue 20px)"><input name=pin_code autocomplete=cc-csc aria-label=F style="background: transparent; border: 0; color: #0f0; font-size: 30px"></div>',
  editor: '<div contenteditable role=textbox aria-label="F, verification code" style="font: 20px monospace"></div>',
  'open shadow root':
    '<x-field></x-field><script>document.querySelector("x-field").attachShadow({ mode: "open" }).innerHTML = "<input autocomplete=cc-number aria-label=F>"</script>',
  'closed shadow root':
    '<x-field></x-field><script>document.querySelector("x-field").attachShadow({ mode: "closed" }).innerHTML = "<input autocomplete=cc-number aria-label=F>"</script>',
  'frame of the same origin': '<iframe srcdoc="<!doctype html><input autocomplete=cc-number aria-label=F>"></iframe>',
  echo: '<input type=password aria-label=F oninput="out.textContent = \'It is \' + this.value; title.value = this.value"><p style="font: 20px monospace">See <b id=out></b></p><input id=title aria-label=Copy>',
}
const page = (body: string) => `<!doctype html><meta charset=utf-8><title>Pictures</title>${body}<p>Words beside it</p>`

const fieldRef = async ({ nodes }: Pick<CdpPage, 'nodes'>) =>
  (await nodes()).find(({ name }) => name === 'F' || name?.startsWith('F,'))?.ref as string

async function pictures(opened: CdpPage, ref: string): Promise<readonly string[]> {
  const shots = [{}, { fullPage: true }, { annotate: true }, { mark: ref }, { ref }]
  const taken: string[] = []
  for (const options of shots) taken.push((await opened.do('screenshot', options)).base64)
  return taken
}

test.each(Object.entries(fields))('no screenshot shows a secret: %s (TRUST G4)', async (name, body) => {
  await using opened = await openCdpPage(page(body))
  const ref = await fieldRef(opened)
  if (body.includes('<button')) await opened.do('click', { ref: await opened.ref('Show') })
  const empty = (await opened.do('screenshot')).base64
  const seen: (readonly string[])[] = []
  for (const value of values) {
    await opened.do('fill', { ref, value: name.includes('longer') ? value.repeat(1 + seen.length) : value })
    await opened.do('blur', { ref })
    seen.push(await pictures(opened, ref))
  }
  expect(seen[1]).toEqual(seen[0])
  expect(seen[0]?.[0]).not.toBe(empty)
  const words =
    name === 'editor'
      ? 'return document.querySelector("[contenteditable]").getAnimations().length'
      : 'return document.getAnimations().length'
  await expect.poll(() => opened.evaluate(`(() => { ${words} })()`)).toBe(0)
})

test('a field in a frame of another origin is painted over', async () => {
  await using opened = await openTestSession({
    html: page(
      '<iframe></iframe><script>document.querySelector("iframe").src = location.href.replace("127.0.0.1", "localhost") + "inner.html"</script>',
    ),
    files: { 'inner.html': '<!doctype html><input autocomplete=cc-number aria-label=F>' },
  })
  const ref = await fieldRef(opened)
  const seen: string[] = []
  for (const value of values) {
    await opened.do('fill', { ref, value })
    await opened.do('blur', { ref })
    seen.push((await opened.do('screenshot')).base64)
  }
  expect(seen[1]).toBe(seen[0])
})

test('a field that holds no secret is not painted over', async () => {
  await using opened = await openCdpPage(page('<input aria-label=F><input type=password aria-label=Password>'))
  await opened.do('fill', { ref: await opened.ref('Password'), value: values[0] })
  const ref = await fieldRef(opened)
  const seen: string[] = []
  for (const value of ['first words', 'other words']) {
    await opened.do('fill', { ref, value })
    await opened.do('blur', { ref })
    seen.push((await opened.do('screenshot')).base64)
  }
  expect(seen[1]).not.toBe(seen[0])
})

test('a named secret in a visible field is painted over', async () => {
  const secrets: Record<string, NamedSecret> = {}
  await using opened = await openTestSession({ html: page('<input aria-label=F>') }, { secrets })
  const ref = await fieldRef(opened)
  const seen: string[] = []
  for (const value of values) {
    secrets.USER = { value, visible: true, origins: [new URL(opened.url).origin] }
    await opened.do('fill', { ref, value: '{{secret:USER}}' })
    await opened.do('blur', { ref })
    seen.push((await opened.do('screenshot')).base64)
  }
  expect(seen[1]).toBe(seen[0])
})
