import { createPrivateKey } from 'node:crypto'
import { keysFor } from '@recto/actor/derived-keys'
import type { Secrets } from '@recto/operation'

/** The PKCS #8 form of an Ed25519 key before its 32 bytes (RFC 8410). */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The signing keys of the authorization server, derived from the secrets of the installation: the first signs, all of them are published. */
export function oauthKeys(secrets: Secrets) {
  return keysFor(secrets, 'recto keys of the oauth server').map(seed => {
    const der = Buffer.concat([ed25519Prefix, seed])
    const { kty, crv, x, d } = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' })
    return { kty: kty ?? '', crv: crv ?? '', x: x ?? '', d: d ?? '', use: 'sig', alg: 'EdDSA' }
  })
}
