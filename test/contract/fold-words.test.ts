import { expect, test } from 'vitest'
import { foldLookalikes, foldWords, splitWords, variantPairs } from '../../src/contract/fold-words.ts'
import { simplifiedCharacters } from '../../src/contract/simplified-characters.generated.ts'
import { fc, test as property } from '../support/property.ts'

const spaces = [' ', '　', '\u00a0', '\u2009', '\u202f', '\u3000\u3000', '\n', ' \u200b ']

test('spaces between Han characters are closed, and others become one space', () => {
  for (const space of spaces) {
    expect(foldWords(`密${space}码`)).toBe('密码')
    expect(foldWords(`提${space}交${space}订${space}单`)).toBe('提交订单')
    expect(foldWords(`save${space}page`)).toBe('save page')
    expect(foldWords(`价${space}9`)).toBe('价 9')
  }
  expect(foldWords('  姓　名 ： ')).toBe('姓名 :')
})

test('Traditional and Simplified words are the same', () => {
  for (const [traditional, simplified] of [
    ['立即購買', '立即购买'],
    ['送出訂單', '送出订单'],
    ['刪 除 帳 號', '删除账号'],
    ['驗證碼', '验证码'],
    ['匯出', '汇出'],
    ['回覆', '回复'],
    ['賬號', '帐号'],
    ['確　定', '确定'],
  ] as const)
    expect(foldWords(traditional)).toBe(foldWords(simplified))
  expect(foldWords('体彩')).toBe('体彩')
  expect(simplifiedCharacters.length).toBeGreaterThan(5_000)
})

test('invisible characters, full width, and case of any locale make no difference', () => {
  for (const written of [
    'Pay now',
    'ＰＡＹ　ＮＯＷ',
    'P\u00ada\u200by n\u2060ow',
    '\u202ePAY\u202c now\u{e0041}',
    '𝐏𝐚𝐲 𝓃ℴ𝔀',
    'ᴘᴀʏ ɴᴏᴡ',
    '🅿🅰🆈 🅝🅞🅦',
    'Ⓟⓐⓨ now',
  ])
    expect(foldWords(written)).toBe('pay now')
  expect(foldWords('SİL')).toBe('sil')
  expect(foldWords('SATIN AL')).toBe(foldWords('satın al'))
  expect(foldWords('ΟΔΟΣ')).toBe(foldWords('οδος'))
})

test('look-alikes are folded in words that mix scripts, and words of one script stay', () => {
  expect(foldWords('Рay')).toBe('pay')
  expect(foldWords('Ρay Dеlеtе Сonfіrm')).toBe('pay delete confirm')
  expect(foldWords('付款Рay')).toBe('付款pay')
  expect(foldWords('oплaтить')).toBe('оплатить')
  for (const word of ['оса', 'рука', 'спор', 'ухо', 'smsкод', 'ναι', 'ваня', 'ыкщ']) expect(foldWords(word)).toBe(word)
})

test('the second reading takes words made only of look-alikes as Latin', () => {
  expect(foldLookalikes('Рау')).toBe('pay')
  expect(foldWords('Рау')).toBe('рау')
  expect(foldLookalikes('ꓐꓴꓬ now')).toBe('buy now')
  expect(foldLookalikes('Удалить')).toBe('удалить')
})

test('the variants of a text are the characters that other forms of it have', () => {
  expect(variantPairs('驗證')).toBe('証证證证驗验')
  expect(variantPairs('验证')).toBe(variantPairs('驗證'))
  expect(variantPairs('Pay 提')).toBe('')
})

test('names in camelCase and snake_case are split into words', () => {
  const words = (name: string) => foldWords(splitWords(name))
  expect(['PayNow', 'pay_now', 'payNow', 'PAY_NOW', 'Pay now', '__pay__now'].map(words)).toEqual(Array(6).fill('pay now'))
  expect(words('buyHTMLPage2')).toBe('buy html page2')
  expect(words('删除_文件')).toBe('删除文件')
})

const letters = fc.constantFrom(
  ...'aZ9 _-é\u0301İıßſΣςΒνРауꓐᎪ密碼帳覆乾薴　\u00a0\u200b\u00ad\u202e\u0307\n🅿K',
  '\u{1d400}',
  '\u{2f800}',
  '\u3164',
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(letters).map(each => each.join('')),
)

property(
  'folding twice is folding once',
  [text],
  written => {
    for (const folded of [foldWords, foldLookalikes]) expect(folded(folded(written))).toBe(folded(written))
  },
  2_000,
)

property(
  'no case, no invisible character and no space between Han characters is left',
  [text],
  written => {
    const folded = foldWords(written)
    expect(folded).toBe(folded.toLowerCase())
    expect(folded).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u00ad]|\s\s|^\s|\s$|\p{Script=Han}\s\p{Script=Han}/u)
  },
  2_000,
)
