import { hash, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new access token: `recto_`, 32 random bytes in base62, and a CRC-32 checksum that lets scanners recognise a leaked one. */
export function createToken(): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)
  return `recto_${secret}${base62(BigInt(crc32(secret)), 6)}`
}

/** SHA-256 of a token in hex: the only form in which tokens are stored or sent over the bus. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}

/** A new id: 20 base62 characters, about 119 random bits, safe in URLs and subjects. */
export function createId(): string {
  let id = ''
  while (id.length < 20) id += alphabet[randomInt(62)]
  return id
}

function base62(value: bigint, width: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = alphabet[Number(rest % 62n)] + text
  return text.padStart(width, '0')
}
