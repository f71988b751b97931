import { expect, test } from 'vitest'
import { linkTarget } from '../../apps/studio/web/chat/link-target.ts'

test('a link shows the host that it leads to, also in its exact form', () => {
  expect(linkTarget('return policy', 'https://shop.example/returns?x=1')).toEqual({ host: 'shop.example', isMisleading: false })
  expect(linkTarget('here', 'https://shop.example@evil.example:8443/')).toEqual({ host: 'evil.example:8443', isMisleading: false })
  expect(linkTarget('here', 'https://аpple.example/')).toMatchObject({ host: 'xn--pple-43d.example' })
  expect(linkTarget('write to us', 'mailto:a@shop.example')).toEqual({ host: 'mailto:', isMisleading: false })
})

test('words that are the address that they lead to need no host beside them', () => {
  for (const words of ['https://shop.example/returns', 'shop.example', 'www.shop.example/a', 'See shop.example.'])
    expect(linkTarget(words, 'https://www.shop.example/returns'), words).toEqual({ host: undefined, isMisleading: false })
})

test('words that look like the address of another site are marked', () => {
  for (const words of [
    'https://bank.example/login',
    'bank.example',
    'www.bank.example',
    'Log in at bank.example, please',
    '“bank.example”',
    '在 bank.example 登录',
  ])
    expect(linkTarget(words, 'https://evil.example/?d=1'), words).toEqual({ host: 'evil.example', isMisleading: true })
  expect(linkTarget('evil.example.bank.example', 'https://evil.example/').isMisleading).toBe(true)
  for (const words of ['report.pdf', 'version 1.2', 'e.g. this', 'Hello.World is', 'a.b'])
    expect(linkTarget(words, 'https://evil.example/').isMisleading, words).toBe(words === 'Hello.World is')
})
