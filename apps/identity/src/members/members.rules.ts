import { Failure, type Role } from '@recto/operation'

/** Throws `conflict` when a change would leave an organization without admin; a null `next` makes a guest, undefined is no member. */
export function requireAdminLeft({ role, next, admins }: { role: Role | null; next: Role | null | undefined; admins: number }): void {
  if (role === 'admin' && next !== 'admin' && admins <= 1) throw new Failure('conflict', 'The last admin of an organization can be neither removed nor demoted')
}

/**
 * Throws `invalid_request` unless the text is a signed JWT in its compact form (RFC 7519): three parts of base64url, a header
 * with an algorithm and claims that are an object. The signature is the business of whoever has the key.
 */
export function requireJwt(token: string): void {
  const [header, claims, signature, ...more] = token.split('.')
  const algorithm = objectIn(header)?.alg
  const isSigned = typeof algorithm === 'string' && algorithm.toLowerCase() !== 'none' && /^[\w-]+$/.test(signature ?? '')
  if (more.length === 0 && isSigned && objectIn(claims)) return
  const details = [{ path: 'body.serviceVisitorClaims', message: 'must be a signed JWT' }]
  throw new Failure('invalid_request', 'body.serviceVisitorClaims: must be a signed JWT', { details })
}

function objectIn(part: string | undefined): Record<string, unknown> | undefined {
  if (!part || !/^[\w-]+$/.test(part)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
