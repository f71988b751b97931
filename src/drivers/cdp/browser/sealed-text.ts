import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

// https://datatracker.ietf.org/doc/html/rfc7914: about 64 MB and a tenth of a second per attempt. Another version would have other parameters:
// those of the file are not trusted, since huge ones would exhaust the memory.
const version = 1
const scryptParams = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 }

interface SealedText {
  readonly sealed: number
  readonly salt: string
  readonly iv: string
  readonly tag: string
  readonly data: string
}

/** Encrypts a text with a passphrase: AES-256-GCM with a key from scrypt. The result is JSON. */
export function sealText(text: string, passphrase: string): string {
  const [salt, iv] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', scryptSync(passphrase, salt, 32, scryptParams), iv)
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const parts = Object.entries({ salt, iv, tag: cipher.getAuthTag(), data }).map(([name, bytes]) => [name, bytes.toString('base64')])
  return JSON.stringify({ sealed: version, ...Object.fromEntries(parts) })
}

export const isSealedText = (text: string): boolean => /^\s*\{\s*"sealed"\s*:/.test(text)

/** Throws if the passphrase is wrong or the text was changed. */
export function unsealText(text: string, passphrase: string): string {
  const { sealed, salt, iv, tag, data } = JSON.parse(text) as SealedText
  if (sealed !== version) throw new Error('it was sealed by another version')
  const [saltBytes, ivBytes, tagBytes, dataBytes] = [salt, iv, tag, data].map(part => Buffer.from(part, 'base64')) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  const key = scryptSync(passphrase, saltBytes, 32, scryptParams)
  const decipher = createDecipheriv('aes-256-gcm', key, ivBytes, { authTagLength: 16 })
  decipher.setAuthTag(tagBytes)
  return Buffer.concat([decipher.update(dataBytes), decipher.final()]).toString('utf8')
}
