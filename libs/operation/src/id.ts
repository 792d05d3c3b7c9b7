import { randomInt } from 'node:crypto'

/** Digits of base62, in the order of their values. */
export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Creates an id of 20 base62 characters: about 119 random bits, safe in URLs and in NATS subjects. */
export function createId(): string {
  let id = ''
  while (id.length < 20) id += base62Digits[randomInt(62)]
  return id
}
