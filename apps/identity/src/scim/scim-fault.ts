import type { ScimType } from '@recto/contracts-identity'
import { Failure } from '@recto/operation'

/** The failure of a request of SCIM, with the word that RFC 7644 has for it. */
export function scimFault(type: ScimType, detail: string): Failure {
  return new Failure(type === 'uniqueness' ? 'conflict' : 'invalid_request', detail, { protocolCode: type })
}
