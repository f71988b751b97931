import { toBytes } from './encodings.ts'

interface Subtle {
  importKey(format: 'raw', key: Uint8Array, algorithm: object, extractable: boolean, usages: readonly ['sign']): Promise<object>
  sign(algorithm: 'HMAC', key: object, data: Uint8Array): Promise<ArrayBuffer>
}
// in Node, in Electron and in every browser, but in none of the libraries that this room is checked with
declare const crypto: { readonly subtle?: Subtle } | undefined

interface TotpParameters {
  readonly key: readonly number[]
  readonly hash: 'SHA-1' | 'SHA-256' | 'SHA-512'
  readonly digits: number
  readonly period: number
}

/**
 * The code of an authenticator app at a time in milliseconds (RFC 6238). `seed` is Base32, or an `otpauth://totp/…` URI, which may set
 * algorithm, digits and period. Rejects if the seed is not valid.
 */
export async function totpCode(seed: string, at: number): Promise<string> {
  const { key, hash, digits, period } = parseSeed(seed)
  const subtle = typeof crypto === 'object' ? crypto?.subtle : undefined
  if (!subtle) throw new TypeError('TOTP codes need WebCrypto, which this host does not have')
  const counter = Math.floor(at / 1_000 / period)
  const message = new Uint8Array(8)
  for (let i = 7, rest = counter; i >= 0; i--, rest = Math.floor(rest / 256)) message[i] = rest % 256
  const algorithm = { name: 'HMAC', hash }
  const signed = await subtle.sign('HMAC', await subtle.importKey('raw', new Uint8Array(key), algorithm, false, ['sign']), message)
  const mac = new Uint8Array(signed)
  const offset = (mac[mac.length - 1] as number) & 15
  const [a, b, c, d] = mac.slice(offset, offset + 4) as unknown as [number, number, number, number]
  const number = ((a & 127) << 24) | (b << 16) | (c << 8) | d
  return String(number % 10 ** digits).padStart(digits, '0')
}

function parseSeed(seed: string): TotpParameters {
  const [, query = ''] = /^otpauth:\/\/totp\/[^?]*\?(.*)$/i.exec(seed) ?? []
  if (query === '') return { key: fromBase32(seed), hash: 'SHA-1', digits: 6, period: 30 }
  const fields = new Map(query.split('&').map(pair => pair.split('=', 2).map(decodeURIComponent) as [string, string]))
  const hash = (fields.get('algorithm') ?? 'SHA1').toUpperCase().replace(/^SHA-?/, 'SHA-')
  const [digits, period] = [Number(fields.get('digits') ?? 6), Number(fields.get('period') ?? 30)]
  if (!/^SHA-(1|256|512)$/.test(hash) || ![6, 7, 8].includes(digits) || !(period > 0)) throw new TypeError('the otpauth URI is not valid')
  return { key: fromBase32(fields.get('secret') ?? ''), hash: hash as TotpParameters['hash'], digits, period }
}

const base32 = toBytes('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')

function fromBase32(text: string): number[] {
  const bytes: number[] = []
  let bits = 0
  let buffer = 0
  for (const code of toBytes(text.toUpperCase().replace(/[\s=-]/g, ''))) {
    const digit = base32.indexOf(code)
    if (digit < 0) throw new TypeError('the seed is not Base32')
    buffer = ((buffer << 5) | digit) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((buffer >> bits) & 255)
    }
  }
  if (bytes.length === 0) throw new TypeError('the seed is empty')
  return bytes
}
