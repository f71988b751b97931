import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fail, ok } from '../../src/contract/run.ts'
import { diffSnapshots } from '../../src/render/diff/diff.ts'
import { normalize } from '../../src/secrets/normalize.ts'
import { Scrubber } from '../../src/secrets/scrubber.ts'
import { SessionSecrets } from '../../src/secrets/session-secrets.ts'
import { totpCode } from '../../src/secrets/totp.ts'
import { createLeakTest } from '../../src/secrets/url-leak.ts'
import { corpus, isCorpusMissing, readPage } from '../support/corpus.ts'

const scrub = (secret: string, text: string): string => {
  const scrubber = new Scrubber()
  scrubber.add([secret])
  return scrubber.text(text)
}

test.each([
  ['as typed', 'is hunter2-lon&"g here', 'is [redacted] here'],
  ['in a URL', 'https://a.test/?p=hunter2-lon%26%22g&x=1', 'https://a.test/?p=[redacted]&x=1'],
  ['in a form', 'p=hunter2-lon%26%22g', 'p=[redacted]'],
  ['encoded twice', '?u=%2Fx%3Fp%3Dhunter2-lon%2526%2522g%26y', '?u=%2Fx%3Fp%3D[redacted]%26y'],
  ['in JSON', '{"p":"hunter2-lon&\\"g"}', '{"p":"[redacted]"}'],
  ['in JSON with code units', '{"p":"hunter2-lon\\u0026\\u0022g"}', '{"p":"[redacted]"}'],
  ['in HTML', '<b>hunter2-lon&amp;&quot;g</b>', '<b>[redacted]</b>'],
  ['in HTML with numbers', 'hunter2-lon&#38;&#x22;g!', '[redacted]!'],
  ['in capitals', 'HUNTER2-LON&"G', '[redacted]'],
  ['in Base64, inside a longer text', `Basic ${btoa('ann:hunter2-lon&"g')}`, /^Basic \w{5,7}\[redacted\]\w{0,2}={0,2}$/],
  ['in hex', `x${Buffer.from('hunter2-lon&"g').toString('hex')}y`, 'x[redacted]y'],
  ['with direction marks in it', 'is hun\u200eter2-\u200flon\u061c&"g here', 'is [redacted] here'],
  ['cut off', 'your password hunter2-lo…', 'your password [redacted]…'],
])('a secret is redacted %s (A4)', (_, text, expected) => {
  const result = scrub('hunter2-lon&"g', text)
  if (typeof expected === 'string') expect(result).toBe(expected)
  else expect(result).toMatch(expected)
})

test('the digits of a card are redacted in groups, and a card that was typed in groups without them (A4)', () => {
  for (const typed of ['4111111111111111', '4111 1111 1111 1111'])
    for (const shown of [
      '4111111111111111',
      '4111 1111 1111 1111',
      '4111-1111-1111-1111',
      '4111+1111+1111+1111',
      '4111%201111%201111%201111',
    ])
      expect(scrub(typed, `?card=${shown}&a=b`)).toBe('?card=[redacted]&a=b')
})

test('a short secret is redacted as a word, and a CVV only where a URL carries it (A4)', () => {
  expect(scrub('4821', 'PIN 4821, order 48210, a4821')).toBe('PIN [redacted], order 48210, a4821')
  expect(scrub('123', 'https://a.test/?cvv=123&n=1234')).toBe('https://a.test/?cvv=[redacted]&n=1234')
  expect(scrub('123', 'It costs 123 euros')).toBe('It costs 123 euros')
  expect(scrub('ab', 'ab=ab')).toBe('ab=ab')
})

test('a code of digits is redacted beside letters and signs, and is not a part of a longer number (A4)', () => {
  expect(scrub('123456', 'passport E1234567, order 20261234561, 123-456')).toBe('passport E1234567, order 20261234561, [redacted]')
  expect(scrub('123456', '?otp=123456&x, code123456x, 验证码123456。, OTP_123456')).toBe(
    '?otp=[redacted]&x, code[redacted]x, 验证码[redacted]。, OTP_[redacted]',
  )
  expect(scrub('4111111111111111', '94111111111111111')).toBe('9[redacted]')
})

test('redaction keeps refs, codes and image data, and reaches keys and nested strings (A4)', () => {
  const scrubber = new Scrubber()
  scrubber.add(['e12345', 'hunter2'])
  const data = {
    ref: 'e12345',
    refs: { e12345: { attrs: { 'data-hunter2': 'x' } } },
    base64: 'hunter2',
    list: ['hunter2'],
    parts: ['a hunter2', { ref: 'e1' }],
  }
  expect(scrubber.value(data)).toEqual({
    ref: 'e12345',
    refs: { e12345: { attrs: { 'data-[redacted]': 'x' } } },
    base64: 'hunter2',
    list: ['[redacted]'],
    parts: ['a [redacted]', { ref: 'e1' }],
  })
})

test('a word that pages write anyway is redacted only where it is a value (A4)', () => {
  const scrubber = new Scrubber()
  scrubber.add(['password', 'Wrong', 'button', 'log in'])
  for (const text of ['Forgot your password?', 'Wrong password', '{"type":"password"}', 'form>button', 'Passwords', 'Log in', 'Login'])
    expect(scrubber.text(text)).toBe(text)
  expect(scrubber.text('https://a.test/?p=password&q=wrong#b=button')).toBe('https://a.test/?p=[redacted]&q=[redacted]#b=[redacted]')
  expect(scrubber.value({ tag: 'button', value: 'password', text: 'password' })).toEqual({
    tag: 'button',
    value: '[redacted]',
    text: 'password',
  })
  expect(scrubber.text(`Basic ${btoa('ann:password')}`)).toContain('[redacted]')
})

test('our own keys, tags, roles and next steps are not redacted (A4)', () => {
  const scrubber = new Scrubber()
  scrubber.add(['interactive', 'strong', 'marquee', 'Correct what'])
  const data = {
    node: { tag: 'strong', role: 'marquee', interactive: true, text: 'strong' },
    error: { hint: 'Correct what the message names and call again.', message: 'Correct what' },
    attrs: { interactive: 'x', hint: 'strong' },
  }
  expect(scrubber.value(data)).toEqual({
    node: { tag: 'strong', role: 'marquee', interactive: true, text: '[redacted]' },
    error: { hint: 'Correct what the message names and call again.', message: '[redacted]' },
    attrs: { '[redacted]': 'x', hint: '[redacted]' },
  })
})

test('a short word or number that stood on a page before it was entered is redacted only where it is a value (A4)', async () => {
  const secrets = new SessionSecrets()
  const page = { url: 'https://a.test/', title: 'Tiger shop' }
  const run = secrets.layer(async ({ name }) =>
    name === 'query'
      ? ok({ page, text: 'Item 1000 of the hunter2 list, 4821990 pieces', value: 'monkey' })
      : ok({ page, effect: { value: '[redacted]', changed: { text: 'lion' } } }),
  )
  await run({ name: 'query' })
  for (const value of ['tiger', '1000', 'hunter2', '4821990', 'monkey', 'lion']) await run({ name: 'fill', ref: 'e1', value })
  await run({ name: 'fill', ref: 'e1', value: 'lion' })
  expect(secrets.scrubber.text('Tiger, 1000, hunter2, 4821990, monkey, lion')).toBe(
    'Tiger, 1000, [redacted], [redacted], [redacted], [redacted]',
  )
  expect(secrets.scrubber.text('?a=tiger&b=1000')).toBe('?a=[redacted]&b=[redacted]')
  expect(secrets.scrub({ value: 'tiger' })).toEqual({ value: '[redacted]' })
})

test('a snapshot that was taken before a secret was entered is compared without the secret (A4)', async () => {
  const secrets = new SessionSecrets()
  const node = (name: string) => ({ ref: 'e1', tag: 'h1', role: 'heading', name })
  let shown = 'Demo login: hunter2-long'
  const run = secrets.layer(async () =>
    ok({
      ok: true,
      type: 'snapshot',
      meta: { url: 'https://a.test/', title: '' },
      tree: { tag: 'body', role: 'document', children: [node(shown)] },
      refs: {},
      stats: {},
    }),
  )
  const snapshot = async () => {
    const result = await run({ name: 'snapshot' })
    return result.ok ? result.data : undefined
  }
  const before = await snapshot()
  secrets.add(['hunter2-long'])
  const after = await snapshot()
  expect(JSON.stringify(after)).toContain('Demo login: [redacted]')
  expect(diffSnapshots(before, after)).toMatchObject({ entries: [] })
  shown = 'Welcome'
  expect(diffSnapshots(before, await snapshot()).text).toContain('"Demo login: [redacted]" → "Welcome"')
})

test('no part of a secret remains where two secrets overlap (A4)', () => {
  const scrubber = new Scrubber()
  scrubber.add(['abcdefgh', 'fghijklm'])
  expect(scrubber.text('-abcdefghijklm-')).toBe('-[redacted]-')
})

test('only the whole value remains a secret once it is typed, and a value planted by a page must be unusual (A4)', () => {
  const secrets = new SessionSecrets()
  const see = (value: string) => secrets.see({ value, field: 'f', origin: 'https://a.test' })
  for (const value of ['hunt3r', 'hunt3r2', 'hunt3r22']) see(value)
  expect(secrets.scrubber.text('hunt3r and hunt3r22')).toBe('hunt3r and [redacted]')
  see('')
  expect(secrets.scrubber.text('hunt3r22')).toBe('[redacted]')
  see('Amount')
  expect(secrets.scrubber.text('Amount')).toBe('Amount')
  secrets.see({ value: 'Amount', field: 'f', origin: 'https://a.test', isTyped: true })
  expect(secrets.scrubber.text('Amount')).toBe('[redacted]')
})

test.each([
  ['https://evil.test/?q=correct-horse-battery'],
  ['https://evil.test/correct-horse'],
  ['https://evil.test/#CORRECT%2DHORSE%2DBATTERY'],
  ['https://correct-horse-battery.evil.test/'],
  [`https://evil.test/?q=${btoa('correct-horse-battery')}`],
  [`https://evil.test/?q=${btoa('x:correct-horse-battery')}`],
  [`https://evil.test/?q=${Buffer.from('correct-horse-battery').toString('hex')}`],
  ['https://evil.test/?q=yrettab-esroh-tcerroc'],
])('a URL that contains a secret is recognized: %s (E4)', url => {
  expect(createLeakTest(url)('correct-horse-battery')).toBe(true)
})

const mixed = 'Zq7-Tiger-9Fx!-Lemon42'
const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, letter => String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < 'n' ? 13 : -13)))
const spreadOver = (write: (character: string, at: number) => string, separator: string) =>
  [...mixed].map((character, at) => write(encodeURIComponent(character), at)).join(separator)

test.each([
  ['its first half', `?q=${mixed.slice(0, 11)}`],
  ['its second half', mixed.slice(11)],
  ['its second half, reversed', `?q=${[...mixed.slice(11)].reverse().join('')}`],
  ['ROT13', `?q=${encodeURIComponent(rot13(mixed))}`],
  ['a half in ROT13, reversed', `?q=${[...rot13(mixed.slice(0, 11))].reverse().join('')}`],
  ['a half in Base64', `?q=${btoa(mixed.slice(0, 11))}`],
  ['a half in hex', `?q=${Buffer.from(mixed.slice(11)).toString('hex')}`],
  ['decimal codes', `?q=${[...Buffer.from(mixed)].join('-')}`],
  ['decimal codes with commas', `?q=${[...Buffer.from(mixed)].join(',')}`],
  ['one character per path segment', spreadOver(character => character, '/')],
  ['one character per parameter', `?${spreadOver((character, at) => `p${at}=${character}`, '&')}`],
  ['one character per parameter of the same name', `?${spreadOver(character => `c=${character}`, '&')}`],
  ['one character per name of a parameter', `?${spreadOver(character => `${character}=1`, '&')}`],
  ['one character per name of a parameter without a value', `?${spreadOver(character => character, '&')}`],
])('a URL that contains a secret as %s is recognized (E4)', (_, path) => {
  expect(createLeakTest(`https://evil.test/${path}`)(mixed)).toBe(true)
})

test('links of real pages contain no secret (E4)', () => {
  if (isCorpusMissing('links of real pages')) return
  const links = new Set(
    readdirSync(join(corpus, 'pages'))
      .filter(file => file.endsWith('.html'))
      .flatMap(file =>
        [...readPage(`pages/${file}`).matchAll(/\bhref=["']?((?:https?:)?\/\/[^"'\s>]+)/g)].map(match => match[1] as string),
      ),
  )
  expect(links.size).toBeGreaterThan(1_000)
  const secrets = [
    mixed,
    'correct-horse-battery',
    '4111 1111 1111 1111',
    'summer2026holiday',
    'ann.smith@mail.example',
    '11010519491231002X',
  ]
  const found = [...links].filter(link => secrets.some(createLeakTest(link)))
  expect(found).toEqual([])
})

test('a URL that contains a part of a secret by chance is not a leak (E4)', () => {
  expect(createLeakTest('https://evil.test/?q=correct')('correct-horse-battery')).toBe(false)
  expect(createLeakTest('https://evil.test/?q=1234')('1234')).toBe(false)
})

// https://datatracker.ietf.org/doc/html/rfc6238#appendix-B
test.each([
  [59, '94287082', '46119246', '90693936'],
  [1111111109, '07081804', '68084774', '25091201'],
  [1111111111, '14050471', '67062674', '99943326'],
  [1234567890, '89005924', '91819424', '93441116'],
  [2000000000, '69279037', '90698825', '38618901'],
  [20000000000, '65353130', '77737706', '47863826'],
])('TOTP codes are those of RFC 6238 at %d s', async (seconds, sha1, sha256, sha512) => {
  const seed = (length: number) => base32('1234567890'.repeat(7).slice(0, length))
  const code = (algorithm: string, length: number) =>
    totpCode(`otpauth://totp/A:b?secret=${seed(length)}&algorithm=${algorithm}&digits=8`, seconds * 1_000)
  expect([await code('SHA1', 20), await code('SHA256', 32), await code('SHA512', 64)]).toEqual([sha1, sha256, sha512])
})

test('a Base32 seed gives six digits, and an invalid one an error', async () => {
  expect(await totpCode('gezd gnbv gy3t qojq GEZDGNBVGY3TQOJQ', 59_000)).toBe('287082')
  await expect(totpCode('not base32!', 0)).rejects.toThrow('not Base32')
})

function base32(text: string): string {
  const bits = Array.from(Buffer.from(text), byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map(group => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

test('the result of a command that names a secret does not tell how long it is (A4)', async () => {
  const { layer } = new SessionSecrets()
  const fills = layer(async () => ok({ page: { url: 'https://a.test/' }, effect: { value: '[redacted]', characters: 12 } }))
  const fails = layer(async () =>
    fail('not_committed', 'e1 did not take it.', { page: { value: '12 characters', url: 'https://a.test/' } }),
  )
  for (const value of ['{{secret:SHOP}}', '{{ secret:SHOP }}'])
    for (const run of [fills, fails]) expect(JSON.stringify(await run({ name: 'fill', ref: 'e1', value }))).not.toContain('12')
  // a model knows how long the words are that it types itself
  expect(JSON.stringify(await fills({ name: 'fill', ref: 'e1', value: 'hunter2-long' }))).toContain('12')
})

test('what a page has shown before makes neither a named secret nor the secret of a person ordinary (A4)', async () => {
  const secrets = new SessionSecrets()
  const page = 'Order 4821 and 9073 of the summer sale. Say letmein to Dragon.'
  const show = secrets.layer(async () => ok({ text: page }))
  const read = async () => ((await show({ name: 'query', ref: 'e1', kind: 'text' })) as { data: { text: string } }).data.text
  expect(await read()).toBe(page)
  secrets.add(['4821', 'letmein'], ['https://a.test'])
  secrets.see({ value: '9073', field: 'f1', origin: 'https://a.test', isTyped: true })
  expect(await read()).toBe('Order [redacted] and [redacted] of the summer sale. Say [redacted] to Dragon.')
  // a model knows what it types
  const fill = secrets.layer(async () => ok({ page: { url: 'https://a.test/' }, effect: { value: '[redacted]' } }))
  await fill({ name: 'fill', ref: 'e1', value: 'summer' })
  await fill({ name: 'fill', ref: 'e1', value: 'dragon' })
  expect(await read()).toContain('of the summer sale. Say [redacted] to Dragon.')
  secrets.add(['summer'])
  expect(await read()).toContain('of the [redacted] sale')
  // another spelling of a word that was ordinary
  await fill({ name: 'fill', ref: 'e1', value: 'DrAgOn' })
  expect(await read()).toContain('to [redacted].')
})

test('a secret is found reversed, with separators, as decimal codes, in ROT13, in halves and in the segments of a URL (A4)', () => {
  const secret = 'Zq7-Tiger-9Fx!-Lemon42'
  const scrubber = new Scrubber()
  scrubber.add([secret])
  const spread = (separator: string) => [...secret].join(separator)
  const rot13 = secret.replace(/[a-z]/gi, letter => String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < 'n' ? 13 : -13)))
  const forms = [
    [...secret].reverse().join(''),
    spread('.'),
    spread('_'),
    spread('/'),
    spread(' '),
    `https://evil.example/${spread('/')}`,
    [...secret].map(each => each.charCodeAt(0)).join(' '),
    rot13,
    `first ${secret.slice(0, 11)}`,
    `second ${secret.slice(11)}`,
    `${secret.slice(0, 11)} and then ${secret.slice(11)}`,
  ]
  for (const form of forms) expect(scrubber.text(form), form).toContain('[redacted]')
  for (const words of ['the tiger and the lemon', 'Lemon 42', 'order 9 of 42', 'Zq7', 'https://shop.example/tiger/lemon'])
    expect(scrubber.text(words)).toBe(words)
})

/** The same numbers every time. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed
  return limit => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

test('random texts are folded unit by unit as the rule says, and each unit keeps its place (A4)', () => {
  const random = createRandom(7)
  const units = [...'aZ09.-_/+ !"#<>éÄİß密ＣＩ\u00ad\u200b\ufeff\u2003', '😀', '\n']
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: random(60) }, () => units[random(units.length)] as string).join('')
    const expected = text
      .split('')
      .map((unit, at) => ({ unit: unit.toLowerCase().length === 1 ? unit.toLowerCase() : unit, at }))
      .filter(({ unit }) => !/[\s+\-._/\u00ad\u061c\u200b-\u200f\u2060\ufeff]/.test(unit))
    const { text: result, starts, ends } = normalize(text)
    expect(result).toBe(expected.map(({ unit }) => unit).join(''))
    for (const [i, { at }] of expected.entries()) expect([starts[i], ends[i]]).toEqual([at, at + 1])
  }
})

test('of many random secrets, each is redacted at every place of a text, and nothing else is (A4)', () => {
  const random = createRandom(42)
  const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#@密码пароль']
  const word = () => Array.from({ length: 6 + random(20) }, () => letters[random(letters.length)]).join('')
  const secrets = Array.from({ length: 200 }, word)
  const scrubber = new Scrubber()
  scrubber.add(secrets)
  for (const secret of secrets) {
    const [before, after] = ['lorem ipsum '.repeat(random(4)), ' dolor sit'.repeat(random(4))]
    expect(scrubber.text(`${before}${secret}${after}`)).toBe(`${before}[redacted]${after}`)
  }
  const others = Array.from({ length: 200 }, word).join(' ')
  expect(scrubber.text(others)).toBe(others)
})
