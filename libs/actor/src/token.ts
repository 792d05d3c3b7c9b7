import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62Digits } from '@recto/operation'

/** Creates an access token: `recto_`, 32 random bytes in base62, and a CRC-32 checksum that lets secret scanners recognise a leaked token. */
export function createToken(): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)
  return `recto_${secret}${base62(BigInt(crc32(secret)), 6)}`
}

/** SHA-256 of a token in hex: the only form in which tokens are stored or sent over the bus. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}

function base62(value: bigint, width: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = base62Digits[Number(rest % 62n)] + text
  return text.padStart(width, '0')
}
