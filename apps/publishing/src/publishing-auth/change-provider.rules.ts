import { createId, fieldFault } from '@recto/operation'
import { isDeepStrictEqual } from 'node:util'
import type { SiteOidcRow } from './site-oidc.entity.ts'

/** The provider that a request sets. */
export interface ProviderChange {
  issuer: string
  clientId: string
  clientSecret?: string | null | undefined
  scopes: string[]
  claims?: Record<string, string> | undefined
}

/** How secrets are stored. */
interface Sealing {
  seal(secret: string): Buffer
  /** Whether a secret is the one that is stored for the provider before. */
  isStored(secret: string): boolean
}

/** The provider of a site after a change. */
export interface ChangedProvider {
  /** Null where the site has none any more. */
  row: SiteOidcRow | null
  isChanged: boolean
  /** Whether those who signed in before are signed out: who they are, or what is known of them, was said by another rule. */
  endsSessions: boolean
}

/**
 * The provider of a site after a request sets it, or removes it by `null`. A secret that is left out stays, for the same issuer and client
 * alone: it was not given to another. Throws `invalid_request`, naming the field.
 */
export function changeProvider(
  siteId: string,
  before: SiteOidcRow | undefined,
  { change, seal, isStored }: Sealing & { change: ProviderChange | null },
): ChangedProvider {
  if (change === null) return { row: null, isChanged: before !== undefined, endsSessions: before !== undefined }
  const { issuer, clientId, scopes, claims = null } = change
  const isSameClient = before?.issuer === issuer && before.clientId === clientId
  const clientSecret = secretAfter(isSameClient ? before.clientSecret : undefined, { change, seal, isStored })
  const row = { siteId, version: before?.version ?? '', issuer, clientId, clientSecret, scopes, claims }
  const isChanged = !isDeepStrictEqual(row, before)
  const endsSessions = before !== undefined && !(isSameClient && isDeepStrictEqual(claims, before.claims))
  return { row: isChanged ? { ...row, version: createId() } : row, isChanged, endsSessions }
}

function secretAfter(
  stored: Buffer | null | undefined,
  { change: { clientSecret }, seal, isStored }: Sealing & { change: ProviderChange },
): Buffer | null {
  if (clientSecret === null) return null
  if (clientSecret !== undefined) return stored && isStored(clientSecret) ? stored : seal(clientSecret)
  if (stored !== undefined) return stored
  throw fieldFault(
    'body.oidc.clientSecret',
    'must be given, or null for a public client: none is stored for this issuer and client',
  )
}
