import { crc32 } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { createToken, hashToken } from './token.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const numberOf = (text: string): number => [...text].reduce((value, digit) => value * 62 + alphabet.indexOf(digit), 0)
const many = <T>(make: () => T): T[] => Array.from({ length: 500 }, make)

describe('a token', () => {
  it('consists of its prefix, 43 characters of secret and 6 of checksum', () => {
    for (const token of many(createToken)) expect(token).toMatch(/^recto_[0-9A-Za-z]{49}$/)
  })

  it('ends with the CRC-32 of its secret, so that a mistyped one is recognised', () => {
    for (const token of many(createToken)) {
      const secret = token.slice(6, 49)
      const checksum = token.slice(49)
      expect(numberOf(checksum)).toBe(crc32(secret))
    }
  })

  it('is different each time', () => expect(new Set(many(createToken)).size).toBe(500))

  it('is stored as the SHA-256 of the whole token, in hex', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(hashToken('recto_a')).not.toBe(hashToken('recto_b'))
  })
})
