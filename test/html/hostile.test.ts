import { expect, test } from 'vitest'
import { read, snapshot } from '../../src/html.ts'

// Large inputs that take seconds: part of the integration tests.

const hostilePages: [string, string][] = [
  ['an empty string', ''],
  ['plain text', 'just words & some < signs >'],
  ['binary data', Array.from({ length: 2_000 }, (_, i) => String.fromCharCode(i % 256)).join('')],
  ['lone surrogates', '<a href=#>\ud800x\udfff</a>'.repeat(20)],
  ['100,000 nested elements', `${'<div>'.repeat(100_000)}<a href=#>deep</a>`],
  ['100,000 nested links', '<a href=#><b>'.repeat(50_000)],
  ['a million attributes', `<a href=# ${Array.from({ length: 1_000_000 }, (_, i) => `a${i}`).join(' ')}>x</a>`],
  ['50,000 nested labels', `${'<label>'.repeat(50_000)}<input>`],
  ['20,000 cells and a comment', `<table><tr><!-- -->${'<th>x'.repeat(20_000)}</table>`],
  ['20,000 checked radios', `<form>${'<input type=radio name=g checked>'.repeat(20_000)}</form>`],
  ['2,000 rules for 20,000 elements', `<style>${'.a .b.c{display:none}'.repeat(2_000)}</style>${'<p class="a b">x'.repeat(20_000)}`],
  ['an unclosed style sheet', `<style>${'@media{'.repeat(50_000)}</style><a href=#>x</a>`],
  ['600 KB on one line', `<p>${'word '.repeat(120_000)}<a href=#>x</a>`],
]

test.each(hostilePages)('%s yields a snapshot within the budget (S1-12 S1-62 X1-8)', (_, html) => {
  for (const options of [{}, { interactiveOnly: false }]) {
    const { snapshotText, error } = snapshot(html, options)
    expect(error).toBeUndefined()
    expect(snapshotText.length).toBeLessThanOrEqual(12_000)
    expect(snapshotText).not.toMatch(/\p{Cs}/u)
  }
})

const hostileArticles: { readonly [title: string]: string } = {
  'an empty string': '',
  'binary data': Array.from({ length: 20_000 }, (_, i) => String.fromCharCode((i * 7919) % 256)).join(''),
  'lone surrogates': '\ud800<p>\udc00x\ud800</p>\udfff',
  '100,000 nested divs': `${'<div>'.repeat(100_000)}deep${'</div>'.repeat(100_000)}`,
  '100,000 nested quotes': `${'<blockquote>a'.repeat(100_000)}`,
  '100,000 nested lists': `${'<ul><li>a'.repeat(50_000)}`,
  '20,000 nested tables': `${'<table><tr><td>a<td>b'.repeat(20_000)}`,
  '3,000 open marks': '<b><i><a href=x>a'.repeat(1_000),
  '600 KB on one line': `<p>${'word*_[]`'.repeat(70_000)}`,
  '600 KB of dashes': `<p>${'-'.repeat(600_000)}x`,
  'a million attributes': '<p a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8 i=9 j=10>x'.repeat(100_000),
  '100,000 colored words of code': `<pre>${'<span>a</span>\n'.repeat(100_000)}`,
  '50,000 links in one cell': `<table><tr><th>a<td>${'<a href=x>b</a><br>'.repeat(50_000)}`,
  'a table of cells that span rows': `<table><tr>${'<th rowspan=65534 colspan=1000>a'.repeat(5_000)}${'<tr><td rowspan=65534>b<td>c'.repeat(5_000)}`,
  'a table of one cell far to the right that spans all rows': `<table><tr>${'<th colspan=1000>a'.repeat(5_000)}<th rowspan=65534>z${'<tr><td>c<td>d'.repeat(20_000)}`,
  'a table of one cell that spans all rows': `<table><tr><th rowspan=65534>${'a'.repeat(5_000)}<td>b${'<tr><td>c<td>d'.repeat(20_000)}`,
  'a table of many columns': `<table><tr>${'<td>a'.repeat(20_000)}${'<tr><td colspan=99999>b'.repeat(5_000)}`,
}
for (const [title, html] of Object.entries(hostileArticles))
  test(`${title} gives text without an exception`, () => {
    const page = read(html)
    expect(page.error).toBeUndefined()
    expect(page.text.length).toBeLessThanOrEqual(4_000)
    expect(page.text).not.toMatch(/\p{Cs}/u)
  }, 30_000)

test('the text below 100,000 nested divs is read', () => expect(read(hostileArticles['100,000 nested divs'] ?? '').text).toBe('deep'))
