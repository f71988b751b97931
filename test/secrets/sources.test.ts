import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { secretsFromEnvironment, secretsFromFile } from '../../src/drivers/secret-sources.ts'
import { expandSecrets } from '../../src/secrets/named-secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'pagehand-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileWith(text: string, mode = 0o600): string {
  const file = join(folder, `${Math.random()}.json`)
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

test.skipIf(process.platform === 'win32')('a file that others can read is refused, and the message says what to do', () => {
  const text = JSON.stringify({ SHOP: { value: 'hunter2', origins: ['https://a.test'] } })
  expect(() => secretsFromFile(fileWith(text, 0o644))).toThrow(/chmod 600/)
  expect(() => secretsFromFile(fileWith(text, 0o640))).toThrow(/others can read/)
  expect(secretsFromFile(fileWith(text))).toEqual(JSON.parse(text))
})

test('an invalid file is refused without a word of its secrets', () => {
  for (const text of [
    '{"A": hunter2}',
    '["hunter2"]',
    '{"A":"hunter2"}',
    '{"A":{"value":"hunter2"}}',
    '{"A":{"value":"hunter2","totp":"x","origins":[]}}',
  ]) {
    const read = () => secretsFromFile(fileWith(text))
    expect(read).toThrow(/cannot be used/)
    expect(read).not.toThrow(/hunter2/)
  }
  expect(() => secretsFromFile(join(folder, 'missing.json'))).toThrow('ENOENT')
})

test('environment variables are secrets with their origins', () => {
  const environment = {
    PAGEHAND_SECRET_SHOP: 'hunter2',
    PAGEHAND_SECRET_SHOP_ORIGINS: 'https://a.test https://b.test',
    PAGEHAND_SECRET_CODE: 'otpauth://totp/x?secret=AA',
    HOME: '/',
  }
  expect(secretsFromEnvironment(environment)).toEqual({
    SHOP: { value: 'hunter2', origins: ['https://a.test', 'https://b.test'] },
    CODE: { totp: 'otpauth://totp/x?secret=AA', origins: [] },
  })
})

test('names are replaced; unknown and unpinned secrets fail clearly', async () => {
  const secrets = {
    A: { value: 'one', origins: ['https://a.test/', 'https://b.test:443'] },
    B: { value: 'two', origins: ['HTTPS://B.test'] },
    LOOSE: { value: 'three', origins: [] },
  }
  const used: string[] = []
  const expand = (text: string) => expandSecrets(text, secrets, value => used.push(value))
  expect(await expand('plain {{x}}')).toEqual({ ok: true, data: { text: 'plain {{x}}' } })
  expect(await expand('{{secret:A}}-{{ secret:B }}')).toEqual({
    ok: true,
    data: { text: 'one-two', rules: { origins: ['https://b.test'], place: 'masked' } },
  })
  expect(used).toEqual(['one', 'two'])
  expect(await expand('{{secret:C}}')).toMatchObject({
    ok: false,
    error: { code: 'unknown_secret', message: 'there is no secret C. The secrets are A, B, LOOSE.' },
  })
  expect(await expand('{{secret:LOOSE}}')).toMatchObject({ ok: false, error: { code: 'secret_not_allowed' } })
  const lookup = await expandSecrets(
    '{{secret:X}}',
    async name => ({ value: name, origins: ['https://a.test'] }),
    () => {},
  )
  expect(lookup).toEqual({ ok: true, data: { text: 'X', rules: { origins: ['https://a.test'], place: 'masked' } } })
})
