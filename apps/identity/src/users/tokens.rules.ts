import { createToken, hashToken, type LimitedTo } from '@recto/actor'
import { includesScope, type TokenScope } from '@recto/contracts-shared'
import { createId, Failure, fieldFault } from '@recto/operation'
import type { TokenRow } from './token.entity.ts'

interface TokenRequest {
  name: string
  scopes: TokenScope[]
  expiresAt?: string | undefined
  allowedAddresses?: string[] | undefined
  limitedTo?: LimitedTo | undefined
}

/** A session at an OpenID provider, as its ID token names it; `sid` is null where the provider does not say. */
export interface OidcSession {
  provider: string
  sub: string
  sid: string | null
}

/** The organization whose single sign-on issued a token, and its provider: of SAML, null for one of a version that did not record it, or of OpenID. */
export interface SignInOrigin {
  organization: string
  provider: string | null
  oidc?: OidcSession | undefined
}

/** For whom a token is issued, and what the token that issues it includes. One that is limited to resources issues none. */
interface Issuer {
  userId: string
  issuerScopes: string[]
  /** When the issuing token expires, milliseconds since the epoch. */
  issuerExpiresAt?: number | undefined
  /** The addresses that the issuing token may be used from. */
  issuerAddresses?: readonly string[] | undefined
  /** The single sign-on that the token comes from. */
  signIn?: SignInOrigin | undefined
  /** The grant of the program whose token issues it: the new one ends with that, too. */
  grant?: string | undefined
  now: Date
}

/**
 * Creates a token that is limited to the scopes, lifetime, addresses and organization of the issuing one. Throws `forbidden` for a scope,
 * an expiry or an address beyond those, and `invalid_request` for an expiry in the past.
 */
export function issueToken(
  request: TokenRequest,
  { userId, issuerScopes, issuerExpiresAt, issuerAddresses, signIn, grant, now }: Issuer,
): { row: TokenRow; token: string } {
  const missing = request.scopes.find(scope => !includesScope(issuerScopes, scope))
  if (missing) throw new Failure('forbidden', `body.scopes: a token without the scope ${missing} cannot grant it`)
  const latest = issuerExpiresAt === undefined ? null : new Date(issuerExpiresAt)
  const expiresAt = request.expiresAt === undefined ? latest : new Date(request.expiresAt)
  if (latest && expiresAt && expiresAt > latest)
    throw new Failure(
      'forbidden',
      `body.expiresAt: must not be after ${latest.toISOString()}, when the issuing token expires`,
    )
  if (expiresAt && expiresAt <= now) throw fieldFault('body.expiresAt', 'must be in the future')
  const addresses = request.allowedAddresses ?? issuerAddresses
  const foreign = issuerAddresses && addresses?.find(address => !issuerAddresses.includes(address))
  if (foreign !== undefined)
    throw new Failure(
      'forbidden',
      `body.allowedAddresses: ${foreign} is not in the list of the issuing token: name entries of that list`,
    )
  const token = createToken()
  return {
    token,
    row: {
      ...storedTokenFields(token, request),
      name: request.name,
      scopes: request.scopes,
      userId,
      createdAt: now,
      expiresAt,
      lastUsedAt: null,
      ssoOrganization: signIn?.organization ?? null,
      ssoProvider: signIn?.provider ?? null,
      allowedAddresses: addresses ? [...addresses] : null,
      limitedTo: request.limitedTo ?? null,
      oidcProvider: signIn?.oidc?.provider ?? null,
      oidcSubject: signIn?.oidc?.sub ?? null,
      oidcSession: signIn?.oidc?.sid ?? null,
      grantId: grant ?? null,
    },
  }
}

/** The text before the hash of a limited token: versions that do not know limits look for the hash alone, and find none. */
export const limitedPrefix = 'limited:'

/** The stored fields of a token: its SHA-256, which tells whether it is limited, and last four characters, never the token. */
export function storedTokenFields(
  token: string,
  { limitedTo }: Pick<TokenRequest, 'limitedTo'> = {},
): Pick<TokenRow, 'id' | 'hash' | 'hint'> {
  const hash = hashToken(token)
  return { id: createId(), hash: limitedTo ? `${limitedPrefix}${hash}` : hash, hint: token.slice(-4) }
}

/** A token as replies show it, without its secret. */
export function presentToken(row: TokenRow) {
  return {
    object: 'token' as const,
    id: row.id,
    name: row.name,
    scopes: row.scopes as TokenScope[],
    createdAt: row.createdAt.toISOString(),
    ...(row.expiresAt && { expiresAt: row.expiresAt.toISOString() }),
    ...(row.limitedTo && { limitedTo: row.limitedTo }),
    ...(row.allowedAddresses && { allowedAddresses: row.allowedAddresses }),
    ...(row.lastUsedAt && { lastUsedAt: row.lastUsedAt.toISOString() }),
    hint: row.hint,
  }
}
