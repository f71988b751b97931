import { expect, test } from 'vitest'
import { html } from '../../src/evidence/html.ts'

test('values are escaped in content and in attributes; nested markup is not escaped twice', () => {
  const link = html`<a href="${'"><script>'}">${'a & b'}</a>`
  expect(link.markup).toBe('<a href="&#34;&#62;&#60;script&#62;">a &#38; b</a>')
  expect(html`<p>${link}</p>`.markup).toBe(`<p>${link.markup}</p>`)
})

test('arrays are concatenated, numbers are shown and undefined is nothing', () => {
  expect(html`<p>${[1, html`<br>`, '<']}${undefined}${0}</p>`.markup).toBe('<p>1<br>&#60;0</p>')
})

test('control characters and bidirectional overrides become a replacement character', () => {
  expect(html`${'a\u202eb\u0000'}`.markup).toBe('a&#65533;b&#65533;')
})
