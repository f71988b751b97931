import { expect, test } from 'vitest'
import { classesOfWords, isConfirming, isUnderstood, showsAmount } from '../../src/approval/words.ts'
import { buttonWords, chineseButtons } from './button-words.ts'

const asks = (name: string): boolean => classesOfWords(name).length > 0 || !isUnderstood(name)

test.each(Object.entries(buttonWords))(
  'buttons in %s have the class of their words, and ordinary ones have none (TRUST G2)',
  (language, words) => {
    const missed = (['pay', 'delete', 'submit'] as const).flatMap(name =>
      words[name].filter(each => !(classesOfWords(each) as string[]).includes(name)).map(each => `${name}: ${each}`),
    )
    const falseAlarms = words.ordinary.filter(asks)
    const count = words.pay.length + words.delete.length + words.submit.length
    console.log(
      `${language}: ${count - missed.length} of ${count} found, ${falseAlarms.length} of ${words.ordinary.length} ordinary ones ask`,
    )
    expect({ missed, falseAlarms }).toEqual({ missed: [], falseAlarms: [] })
  },
)

test.each(chineseButtons)('the Chinese button %s is: %s', (name, expected) => {
  const classes: readonly string[] = classesOfWords(name)
  if (expected) expect(classes).toContain(expected)
  else expect(classes).toEqual([])
})

test.each([
  ['OK', true],
  ['Yes, continue', true],
  ['确 定', true],
  ['繼續', true],
  ['Ja', true],
  ['Oui', true],
  ['Sí', true],
  ['Да', true],
  ['はい', true],
  ['확인', true],
  ['نعم', true],
  ['हाँ', true],
  ['Evet', true],
  ['Cancel', false],
  ['No', false],
  ['取消', false],
  ['Next', false],
  ['下一步', false],
  ['OK, delete the file', false],
])('%s confirms: %s', (text, expected) => {
  expect(isConfirming(text)).toBe(expected)
})

test.each([
  ['$5', true],
  ['5 €', true],
  ['¥39', true],
  ['￥ 39.00', true],
  ['199元', true],
  ['Rs. 500', true],
  ['₹ 1,20,000', true],
  ['USD 12', true],
  ['5 BTC', true],
  ['20 zł', true],
  ['1,99', true],
  ['1.99', true],
  ['1,299.00', true],
  ['1.99.3', false],
  ['v1.25', false],
  ['1.25x', false],
  ['12:30', false],
  ['9.99%', false],
  ['4.5', false],
  ['R$ 30', true],
  ['500 руб', true],
  ['1.200 TL', true],
  ['٥٠ ريال', true],
  ['12 items', false],
  ['Page 5', false],
  ['$HOME', false],
  ['iPhone 15', false],
  ['5 krakens', false],
  ['2026-11-18', false],
])('%s shows an amount of money: %s', (text, expected) => {
  expect(showsAmount(text)).toBe(expected)
})

test.each([
  ['Next', true],
  ['下一頁', true],
  ['', true],
  ['×', true],
  ['Ω', true],
  ['Weiter – zurück', true],
  ['Việt Nam', true],
  ['Antonín Dvořák, composer', true],
  ['สั่งซื้อ', false],
  ['Αγορά', false],
  ['קנה עכשיו', false],
  ['خرید کنید', false],
  ['Қазір сатып алу', false],
  ['Купиць ў адзін клік', false],
  ['ყიდვა', false],
  ['Zaplatiť účet ďalej', false],
])('the language of %s is known: %s', (text, expected) => {
  expect(isUnderstood(text)).toBe(expected)
})
