import { createHash } from 'node:crypto'

interface BoundToken {
  accessToken: string
  /** `at_hash` of the ID token. */
  expected: unknown
  algorithm: string
}

/** Why an access token is not the one that the ID token came with (`at_hash`); undefined when it is, or the ID token names none. */
export function accessTokenFault({ accessToken, expected, algorithm }: BoundToken): string | undefined {
  if (expected === undefined) return undefined
  const digest = createHash(hashOf(algorithm)).update(accessToken, 'ascii').digest()
  const isSame = digest.subarray(0, digest.length / 2).toString('base64url') === expected
  return isSame ? undefined : 'at_hash is that of another access token'
}

/** The hash function of a signature algorithm; Ed25519 hashes with SHA-512. */
function hashOf(algorithm: string): string {
  const bits = /^[A-Z]S(256|384|512)$/.exec(algorithm)?.[1] ?? '512'
  return `sha${bits}`
}
