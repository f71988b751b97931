import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Pairing } from '../../src/relay/pairing.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'pagehand-pairing-'))

test('the code, however it is typed, is exchanged for a key once', () => {
  const folder = newFolder()
  const pairing = new Pairing(folder)
  const code = pairing.code()
  expect(code).toMatch(/^[B-DF-HJKMNP-TV-Z2-9]{4}-[B-DF-HJKMNP-TV-Z2-9]{4}$/)
  expect(pairing.isPaired()).toBe(false)
  const result = pairing.pair(` ${code.toLowerCase().replace('-', ' ')} `)
  expect(result).toMatchObject({ key: expect.stringMatching(/^[\w-]{43}$/) })
  expect(pairing.isPaired()).toBe(true)
  expect(pairing.pair(code)).toMatchObject({ reason: 'wrong code' })
  // the key survives a restart, in a file for its owner only
  expect(new Pairing(folder).isPaired()).toBe(true)
  expect(statSync(join(folder, 'extension.json')).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(folder, 'extension.json'), 'utf8')).not.toContain(code)
})

test('the right code counts whatever others have tried before, and wrong ones are answered later and later', () => {
  const pairing = new Pairing(newFolder())
  const code = pairing.code()
  const delays = Array.from({ length: 20 }, () => {
    const result = pairing.pair('AAAA-AAAA')
    return 'delayMs' in result ? result.delayMs : -1
  })
  expect(delays.slice(0, 3)).toEqual([0, 0, 0])
  expect(delays).toEqual([...delays].sort((one, other) => one - other))
  expect(delays.at(-1)).toBe(8_000)
  expect(pairing.code()).toBe(code)
  expect(pairing.pair(code)).toHaveProperty('key')
})

test('a proof is accepted for its own challenge only', () => {
  const pairing = new Pairing(newFolder())
  pairing.pair(pairing.code())
  const hello = { type: 'hello', protocol: 1, nonce: 'n'.repeat(32), userAgent: '' } as const
  const [one, two] = [pairing.challenge(hello), pairing.challenge(hello)]
  expect(one?.message.nonce).not.toBe(two?.message.nonce)
  // the proof of the relay is no proof of the extension
  expect(one?.accepts(one.message.proof)).toBe(false)
  for (const proof of ['', undefined, 7, two?.message.proof]) expect(one?.accepts(proof)).toBe(false)
})
