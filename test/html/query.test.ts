import { expect, test } from 'vitest'
import { buildDocument, query, queryRef, snapshot } from '../../src/html.ts'
import { fc, test as property } from '../support/property.ts'

test('query returns text, attributes as JSON and markup, cut at the limit (S1-07 S1-26 S1-27 S1-32 S1-64 X1-6)', () => {
  const document = buildDocument('<a href="/x" title="t" class="c">Hello <b>big</b> world</a>')
  snapshot(document)
  expect(query(document, 'e1', 'TEXT')).toEqual({ ref: 'e1', kind: 'TEXT', value: 'Hello big world', truncated: false })
  expect(query(document, '@e1', 'attrs').value).toBe('{"href":"/x","title":"t","class":"c"}')
  expect(query(document, 'e1', 'outerHTML')).toMatchObject({
    kind: 'OUTER_HTML',
    value: '<a href="/x" title="t" class="c">Hello <b>big</b> world</a>',
  })
  expect(query(document, 'e1', 'OUTER_HTML', 10)).toMatchObject({ value: '<a href="…', truncated: true })
  expect(JSON.parse(query(document, 'e1', 'ATTR', 24).value)).toEqual({ href: '/x' })
  expect(query(document, 'e2', 'text').error).toMatchObject({ code: 'ref_not_found' })
  expect(query(document, 'x', 'text').error).toMatchObject({ code: 'invalid_ref' })
  for (const kind of ['soul', 'constructor', '__proto__'])
    expect(query(document, 'e1', kind).error).toMatchObject({ code: 'unsupported_query' })
})

test('query kinds are accepted in all documented spellings (S1-26 X1-6)', () => {
  const html = '<a href="/x">Hello</a>'
  const kind = (spelling: string) => queryRef(html, 'e1', spelling).kind
  for (const spelling of ['TEXT', 'text', 'Text']) expect(kind(spelling)).toBe('TEXT')
  for (const spelling of ['ATTR', 'attr', 'attrs', 'ATTRS']) expect(kind(spelling)).toBe('ATTR')
  for (const spelling of ['OUTER_HTML', 'outer_html', 'outerHTML', 'html']) expect(kind(spelling)).toBe('OUTER_HTML')
})

property(
  'an answer is deterministic, never longer than its limit, and marked if cut (S1-07 S1-27 S1-64)',
  [
    fc.constantFrom('TEXT' as const, 'ATTR' as const, 'OUTER_HTML' as const),
    fc.integer({ min: 1, max: 400 }),
    fc.string({ unit: 'grapheme', maxLength: 120 }),
  ],
  (kind, limit, text) => {
    const title = text.replace(/[&"]/g, '')
    const html = `<form title="${title}" data-a="1"><p>${title.replace(/</g, '')}</p><p>end</p></form>`
    const answer = queryRef(html, 'e1', kind, limit)
    const whole = queryRef(html, 'e1', kind, 100_000)
    expect(answer.error).toBeUndefined()
    expect(answer.value.length).toBeLessThanOrEqual(limit)
    expect(answer.value).not.toMatch(/\p{Cs}/u)
    expect(answer.truncated).toBe(answer.value !== whole.value)
    expect(whole.truncated).toBe(false)
    expect(queryRef(html, 'e1', kind, limit)).toEqual(answer)
    if (kind === 'ATTR' && limit > 1) expect(JSON.parse(whole.value)).toMatchObject(JSON.parse(answer.value))
  },
)

test('the default limit is 4,000 characters (S1-29 S1-32)', () => {
  const html = `<form>${'<p>text</p>'.repeat(2_000)}</form>`
  for (const kind of ['TEXT', 'OUTER_HTML']) {
    expect(queryRef(html, 'e1', kind).value).toHaveLength(4_000)
    expect(query(buildDocument(html), 'e1', kind)).toEqual(queryRef(html, 'e1', kind))
  }
})

test('query needs no snapshot first: refs depend only on HTML and options (S1-32 C2)', () => {
  const html = '<h1>Title</h1><a href="/x">Link</a>'
  expect(query(buildDocument(html), 'e1', 'TEXT').value).toBe('Link')
  expect(query(buildDocument(html, { interactiveOnly: false }), 'e1', 'TEXT').value).toBe('Title')
  // refs of an earlier snapshot stay valid; elements it did not show have no ref
  const document = buildDocument(html, { interactiveOnly: false })
  snapshot(document, { interactiveOnly: true })
  expect(query(document, 'e1', 'TEXT').value).toBe('Link')
  expect(query(document, 'e2', 'TEXT').error).toMatchObject({ code: 'ref_not_found' })
})

test('no query returns more than 100,000 characters (X0-7 S1-54)', () => {
  const html = `<form>${'<p>text</p>'.repeat(50_000)}</form>`
  expect(queryRef(html, 'e1', 'OUTER_HTML', 1e9).value).toHaveLength(100_000)
})

test('queryRef takes the options of the snapshot that issued the ref (S1-29 X1-1 C23)', () => {
  const html = '<h1>Title</h1><a href="/x">Link</a>'
  expect(queryRef(html, 'e1', 'TEXT').value).toBe('Link')
  expect(queryRef(html, 'e1', 'TEXT', 4_000, { interactiveOnly: false }).value).toBe('Title')
})

test('refs of a scoped snapshot are resolved with the same scope (X1-1)', () => {
  const html = `<select aria-label=Country>${Array.from({ length: 11 }, (_, i) => `<option>Land ${i}`).join('')}</select><a href=#>next</a>`
  const options = { scopeSelector: 'select' }
  const { refs } = snapshot(html, options)
  expect(Object.keys(refs)).toHaveLength(12)
  for (const [ref, { tag, name }] of Object.entries(refs))
    if (tag === 'option') expect(queryRef(html, ref, 'TEXT', 4_000, options).value).toBe(name)
})

test('invalid options and invalid documents are rejected without an exception (S1-29 S1-32)', () => {
  const html = '<a href=#>x</a>'
  expect(queryRef(html, 'e1', 'TEXT', 4_000, { maxNodez: 1 } as never).error).toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('maxNodez'),
  })
  expect(queryRef(html, 'e1', 'TEXT', 4_000, { candidates: { include: ':::' } }).error).toMatchObject({ code: 'invalid_selector' })
  expect(queryRef(html, 'e1', 'TEXT', 0).error).toMatchObject({ code: 'invalid_input' })
  for (const page of [null, undefined, html, {}, { tree: null }])
    expect(query(page as never, 'e1', 'TEXT').error).toMatchObject({ code: 'invalid_input' })
})

test('secrets are redacted in snapshot, attributes and markup (A4)', () => {
  const html =
    '<form><input type=password value=SENTINEL><input name=otp value=SENTINEL><input type=hidden name=csrf value=SENTINEL><textarea autocomplete=one-time-code>SENTINEL</textarea></form>'
  const document = buildDocument(html)
  const said = [
    snapshot(document).snapshotText,
    JSON.stringify(snapshot(document).refs),
    ...['e1', 'e2', 'e3', 'e4'].flatMap(ref => [query(document, ref, 'ATTR').value, query(document, ref, 'OUTER_HTML').value]),
  ]
  expect(said.join('\n')).not.toContain('SENTINEL')
})

test('fields that only their label, style or srcdoc make secret are redacted, in every kind of query (M8 A4)', () => {
  const fields = [
    '<label>CVV <input name=securityCode value=SENTINEL></label>',
    '<label>卡号 <input name=k value=SENTINEL></label>',
    '<input aria-label="Card number" name=n value=SENTINEL>',
    '<input placeholder="Social security number" value=SENTINEL>',
    '<input name=apiKey value=SENTINEL>',
    '<input style="-webkit-text-security: disc" aria-label=Masked value=SENTINEL>',
    '<iframe srcdoc="<input type=password value=SENTINEL>" title=Frame></iframe>',
    '<textarea name=password>SENTINEL</textarea>',
  ]
  for (const field of fields) {
    const document = buildDocument(`<form aria-label=Form>${field}</form>`, { interactiveOnly: false })
    const { snapshotText, refs } = snapshot(document, { interactiveOnly: false })
    const kinds = ['TEXT', 'VALUE', 'ATTR', 'INNER_HTML', 'OUTER_HTML'] as const
    const said = Object.keys(refs).flatMap(ref => kinds.map(kind => query(document, ref, kind).value))
    expect([snapshotText, JSON.stringify(refs), ...said].join('\n'), field).not.toContain('SENTINEL')
  }
})

test('a selector cannot be used to guess a value (M9 A4)', () => {
  const html = '<form><input type=hidden name=csrf value=9f31><iframe srcdoc="<p>secret</p>"></iframe></form>'
  for (const selector of [
    'form:has(input[value^="9"])',
    'input[ VALUE = "9f31" ]',
    '[srcdoc*=secret]',
    'input:is([value])',
    ':not([value$="1"])',
    '[va\\6c ue^="9"]',
  ])
    for (const options of [{ scopeSelector: selector }, { candidates: { include: selector } }, { candidates: { exclude: selector } }])
      expect(snapshot(html, options).error, selector).toMatchObject({ code: 'invalid_selector' })
})

test('raw text of noscript, iframe, noembed and noframes is omitted because it may contain secrets', () => {
  const kept = ['noscript', 'iframe', 'noembed', 'noframes'].map(tag => `<${tag}><input type=password value=SENTINEL></${tag}>`)
  expect(queryRef(`<form>${kept.join('')}</form>`, 'e1', 'OUTER_HTML').value).toBe(
    '<form><noscript></noscript><iframe></iframe><noembed></noembed><noframes></noframes></form>',
  )
})

test('a document with a missing scope fails the same way each time', () => {
  const document = buildDocument('<a href=/x>Prices</a>', { scopeSelector: '.nope' })
  const answers = [query(document, 'e1', 'TEXT'), query(document, 'e1', 'TEXT')]
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.error?.code).toBe('scope_not_found')
})

test('refs, kinds and selectors of any type and size give an error and no exception (S1-46)', () => {
  const html = '<main><a href="/a">A</a></main>'
  const values: unknown[] = [null, 5.5, {}, [], Symbol('x'), Object.create(null), () => 1, { toString: () => 1 / Number('x') }, 10n]
  for (const value of values) {
    expect(query(buildDocument(html), value as string, 'TEXT').error?.code).toBe('invalid_ref')
    expect(query(buildDocument(html), 'e1', value as string).error?.code).toBe('unsupported_query')
  }
  for (const selector of [`${'a,'.repeat(1e5)}a`, ':not('.repeat(1e5), `${'a '.repeat(1e5)}a`])
    for (const options of [{ scopeSelector: selector }, { candidates: { include: selector } }, { candidates: { exclude: selector } }]) {
      expect(snapshot(html, options)).toMatchObject({ error: { code: 'invalid_selector' } })
      expect(snapshot(html, options).snapshotText.length).toBeLessThan(2_000)
      expect(queryRef(html, 'e1', 'TEXT', 100, options).error?.code).toBe('invalid_selector')
    }
  expect(snapshot(html, { scopeSelector: `${'b,'.repeat(1_900)}main` }).error).toBeUndefined()
})
