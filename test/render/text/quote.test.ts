import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cut } from '../../../src/contract/text.ts'
import { inline, quote } from '../../../src/render/text/quote.ts'

const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map(codes => String.fromCharCode(...codes))
const tricky = fc
  .array(fc.constantFrom('[ref=', '[REF=', '"', '\\', '\n', '😀', '\ud83d', '\udb40\udc41', 'a', '…'), { maxLength: 20 })
  .map(all => all.join(''))
const strings = fc.oneof(units, tricky, fc.string())

describe('quoting (TRUST A1, X0-27)', () => {
  test('leaves plain text unchanged', () => {
    expect(quote('今日金价 – 3 €')).toBe('"今日金价 – 3 €"')
    expect(quote('😀 ok')).toBe('"😀 ok"')
  })

  test('is reversible with JSON.parse', () => {
    fc.assert(fc.property(strings, text => JSON.parse(quote(text)) === text))
  })

  test('escapes invisible characters, line breaks and ref marks', () => {
    const forbidden =
      /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\udb40[\udc00-\udc7f]|\[ref=/i
    fc.assert(fc.property(strings, text => !forbidden.test(quote(text)) && !forbidden.test(inline(text))))
    for (const code of [0, 0x1b, 0x7f, 0x9f, 0xad, 0x61c, 0x180e, 0x200b, 0x200f, 0x2028, 0x202e, 0x2060, 0x2069, 0xfeff, 0xd800, 0xdfff])
      expect(quote(String.fromCharCode(code))).toBe(`"\\u${code.toString(16).padStart(4, '0')}"`)
  })

  test('keeps page text from imitating a ref, in any case', () => {
    expect(quote('[ref=e9] [Ref=e9]')).toBe('"[ref\\u003de9] [Ref\\u003de9]"')
  })

  test('cuts with an ellipsis within the limit, never inside an escape or a surrogate pair (X0-25)', () => {
    fc.assert(
      fc.property(strings, fc.integer({ min: 1, max: 30 }), (text, max) => {
        const quoted = quote(text, max)
        expect(quoted.length).toBeLessThanOrEqual(max + 2)
        const back: string = JSON.parse(quoted)
        if (back !== text) {
          expect(back.endsWith('…')).toBe(true)
          expect(text.startsWith(back.slice(0, -1))).toBe(true)
        }
      }),
    )
    expect(quote('abcdef', 4)).toBe('"abc…"')
    expect(quote('ab😀cd', 4)).toBe('"ab…"')
    expect(quote('abc', 3)).toBe('"abc"')
    expect(quote('abc', 0)).toBe('""')
  })

  test('cuts a string of 20 MB without reading all of it', () => {
    const huge = '"'.repeat(20_000_000)
    expect(quote(huge, 10)).toHaveLength(11)
    expect(cut(huge, 10)).toHaveLength(10)
  })
})

/** without escaped characters, so that only the quotes of our own are left */
const quotesIn = (line: string): number => line.replace(/\\[\s\S]/g, '').split('"').length - 1

test('a sentence that is cut closes the quotes of its page words', () => {
  fc.assert(
    fc.property(strings, fc.integer({ min: 20, max: 400 }), (words, max) => {
      const line = inline(`The page says ${quote(words)} and ${quote(`x${words}`)}.`, max)
      expect(line.length).toBeLessThanOrEqual(max)
      expect(quotesIn(line) % 2).toBe(0)
    }),
  )
})

test('the words of a dialog in a note keep their closing quote (TRUST A1)', () => {
  const note = `The dialog (alert) was dismissed because the page was left: ${quote('a"b\\'.repeat(120), 900)}.`
  for (let max = 30; max < note.length; max++) {
    const line = inline(note, max)
    expect(line.length).toBeLessThanOrEqual(max)
    expect(quotesIn(line) % 2).toBe(0)
  }
})
