import { expect, test } from 'vitest'
import { openScriptPage } from '../../support/script-page.ts'

const page1 = `<a id=l class="x y" href="/p?q=1" title='"t"' onclick="return false">Prices <b>today</b><i hidden>no</i></a>`

test('a query reads text, markup, attributes, value, styles and box of an element (S0-49 S0-50 S0-51 C11)', async () => {
  await using page = await openScriptPage(`${page1}<input id=i aria-label=I value=v>`)
  const ref = await page.ref('link')
  expect(await page.query(ref, 'text')).toMatchObject({
    ok: true,
    type: 'query',
    kind: 'text',
    ref,
    value: 'Prices today',
    truncated: false,
    meta: { url: page.url },
  })
  expect(await page.query(ref, 'html')).toMatchObject({ value: 'Prices <b>today</b><i hidden="">no</i>' })
  expect(await page.query(ref, 'outerHTML')).toMatchObject({
    value: expect.stringMatching(/^<a id="l" class="x y" href="\/p\?q=1" title="&quot;t&quot;".*<\/a>$/),
  })
  const attrs = await page.query(ref, 'attrs')
  expect(JSON.parse(String(attrs.ok && attrs.value))).toMatchObject({ id: 'l', href: '/p?q=1', title: '"t"' })
  const styles = await page.query(ref, 'computed_styles')
  expect(JSON.parse(String(styles.ok && styles.value))).toMatchObject({ display: 'inline', visibility: 'visible' })
  const box = await page.query(ref, 'box')
  expect(JSON.parse(String(box.ok && box.value))).toMatchObject(
    await page.evaluate<object>('(({ x, y, height }) => ({ x, y: Math.round(y), height: Math.round(height) }))(l.getBoundingClientRect())'),
  )
  expect(await page.query(await page.ref('textbox'), 'value')).toMatchObject({ value: 'v' })
})

test('alternative spellings of query kinds are accepted (X1-6)', async () => {
  await using page = await openScriptPage(page1)
  const ref = await page.ref('link')
  for (const kind of ['TEXT', 'ATTR', 'OUTER_HTML', 'outerhtml', 'Attrs', 'isVisible'])
    expect(await page.query(ref, kind as never), kind).toMatchObject({ ok: true })
})

test('state queries return true or false (S2-38)', async () => {
  await using page = await openScriptPage(
    '<input type=checkbox aria-label=C checked><button disabled>B</button><div style="height:3000px"></div><a href=#>Below</a>',
  )
  const box = await page.ref('checkbox')
  const button = await page.ref('button')
  expect(await page.query(box, 'ischecked')).toMatchObject({ value: true })
  expect(await page.query(box, 'isenabled')).toMatchObject({ value: true })
  expect(await page.query(button, 'isenabled')).toMatchObject({ value: false })
  expect(await page.query(button, 'ischecked')).toMatchObject({ ok: false, error: { code: 'not_checkable' } })
  expect(await page.query(await page.ref('link'), 'isvisible')).toMatchObject({ value: true })
  await page.evaluate(`document.querySelector('button').style.display = 'none', 1`)
  expect(await page.query(button, 'isvisible')).toMatchObject({ value: false })
})

test('an answer is cut at limitChars, 4,000 by default, and says so (S0-02 X0-7 X2-9)', async () => {
  await using page = await openScriptPage(
    `<main><button id=b ${Array.from({ length: 300 }, (_, i) => `data-a${i}="${'v'.repeat(50)}"`).join(' ')}>B</button><div role=region aria-label=R tabindex=0>${'<p>words and words</p>'.repeat(20_000)}</div></main>`,
  )
  const { refs } = await page.snapshot({ interactiveOnly: false })
  const region = Object.values(refs).find(each => each.role === 'region')?.ref ?? ''
  for (const kind of ['text', 'html', 'outerHTML'] as const) {
    const usual = await page.query(region, kind)
    expect(usual, kind).toMatchObject({ ok: true, truncated: true })
    expect(String(usual.ok && usual.value).length).toBeLessThanOrEqual(4_000)
    const much = await page.query(region, kind, { limitChars: 1e9 })
    expect(String(much.ok && much.value).length, kind).toBeLessThanOrEqual(100_000)
    expect(much).toMatchObject({ truncated: true })
    const one = await page.query(region, kind, { limitChars: 1 })
    expect(String(one.ok && one.value).length).toBeLessThanOrEqual(1)
  }
  const attrs = await page.query(await page.ref('button'), 'attrs', { limitChars: 500 })
  expect(attrs).toMatchObject({ ok: true, truncated: true })
  expect(Object.keys(JSON.parse(String(attrs.ok && attrs.value))).length).toBeGreaterThan(3)
  for (const limitChars of [0, -1, 1.5, Number.NaN, '9' as never])
    expect(await page.query(region, 'text', { limitChars })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
})

test('a query for an unknown ref fails with ref_not_found (S0-74)', async () => {
  await using page = await openScriptPage('<button>B</button>')
  expect(await page.query('e9', 'text')).toMatchObject({ ok: false, kind: 'text', ref: 'e9', error: { code: 'ref_not_found' } })
})

test('markup of an element with 200,000 children is cut instead of refused', async () => {
  await using page = await openScriptPage(
    '<button id=b>B</button><script>for (let i = 0; i < 200000; i++) b.append(document.createElement("i"))</script>',
  )
  const ref = await page.ref('button')
  for (const kind of ['html', 'outerHTML'] as const)
    expect(await page.query(ref, kind, { limitChars: 50 })).toMatchObject({ ok: true, truncated: true })
})

test('the text of an element has a space where a block begins or ends, and nowhere else (S0-49)', async () => {
  await using page = await openScriptPage(
    '<div role=group aria-label=All tabindex=0><p>Words</p><label>City <input></label>tail<div>in <b>one</b><i>line</i></div>after</div>',
  )
  expect(await page.query(await page.ref('All'), 'text')).toMatchObject({ value: 'Words City tail in oneline after' })
})
