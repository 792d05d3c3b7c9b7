import type { BodyForm, Failure } from '@recto/operation'

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The words that RFC 7644, section 3.12, has for failures. */
export const scimTypes = [
  'invalidFilter',
  'tooMany',
  'uniqueness',
  'mutability',
  'invalidSyntax',
  'invalidPath',
  'noTarget',
  'invalidValue',
] as const

/** A word that RFC 7644 has for a failure. */
export type ScimType = (typeof scimTypes)[number]

/** SCIM 2.0 (RFC 7644): where its rows are, and the form of its bodies. */
export const scimProtocol = {
  base: '/scim/v2',
  mediaType: 'application/scim+json',
  errorBody(failure) {
    const scimType = scimTypeOf(failure)
    return {
      schemas: [errorSchema],
      status: String(failure.status),
      ...(scimType && { scimType }),
      detail: failure.message,
    }
  },
} as const satisfies BodyForm & { base: string }

/** A body that is no JSON has a wrong syntax; any other fault of a request is one of a value. */
function scimTypeOf({ code, protocolCode, details = [] }: Failure): string | undefined {
  if (protocolCode !== undefined || code !== 'invalid_request') return protocolCode
  return details.some(({ path }) => path === 'body') ? 'invalidSyntax' : 'invalidValue'
}
