import { createHash } from 'node:crypto'
import { sealerFor } from '@recto/database'
import type { Secrets } from '@recto/operation'

const sealer = sealerFor('recto objects of the oauth server')

/** An object of the authorization server. */
export type Payload = Record<string, unknown>

/** The hash that a code, a token or the id of a session is stored and looked up by. */
export function artifactHash(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}

/** Encrypts an object for a row, whose key is the context: it cannot be moved to another one. */
export function sealPayload(payload: Payload, context: string, secrets: Secrets): Buffer {
  return sealer.seal(JSON.stringify(payload), context, secrets)
}

/** Decrypts the object of a row; undefined where the secret that encrypted it is lost: it has ended, then, and people begin again. */
export function unsealPayload(sealed: Buffer, context: string, secrets: Secrets): Payload | undefined {
  try {
    return JSON.parse(sealer.unseal(sealed, context, secrets)) as Payload
  } catch {
    return undefined
  }
}

/** Encrypts the object of a row with the present secret. */
export function resealPayload(sealed: Buffer, context: string, secrets: Secrets): Buffer {
  return sealer.seal(sealer.unseal(sealed, context, secrets), context, secrets)
}
