import { openVisitRequest, visitPath, type VisitRequest } from '@recto/actor/visit-request'
import type { ClientMetadata, Interaction, KoaContextWithOIDC } from 'oidc-provider'
import type { BaseContext } from '../shared/context.ts'

/** The program that sites are at the authorization server: it signs people in, and gets neither a code nor a token. */
export const visitClientId = 'recto-sites'

/** The one scope that sites ask for: to sign in. */
export const visitScope = 'openid'

/** The program as the authorization server knows it. */
export function visitClient(publicUrl: string): ClientMetadata {
  return {
    client_id: visitClientId,
    client_name: 'The sites of Recto',
    token_endpoint_auth_method: 'none',
    grant_types: [],
    response_types: ['none'],
    redirect_uris: [`${publicUrl}${visitPath}`],
  }
}

/** Where people sign in who come for a site; as somebody else, although they are signed in, where they want that. */
export function signInUrl(publicUrl: string, request: string, { isAnother = false } = {}): string {
  const parameters = new URLSearchParams({
    client_id: visitClientId,
    response_type: 'none',
    redirect_uri: `${publicUrl}${visitPath}`,
    scope: visitScope,
    state: request,
    ...(isAnother && { prompt: 'login' }),
  })
  return `${publicUrl}/oauth/authorize?${parameters}`
}

/** The site that an interaction is for; undefined for the interaction of a program. */
export async function visitOf(
  { params }: Pick<Interaction, 'params'>,
  { publicUrl, signingSecret }: Pick<BaseContext, 'publicUrl' | 'signingSecret'>,
): Promise<VisitRequest | undefined> {
  const { client_id: clientId, state } = params
  if (clientId !== visitClientId || typeof state !== 'string') return undefined
  return openVisitRequest(state, publicUrl, signingSecret)
}

/** The grant of sites: they know that somebody has signed in. It is stored nowhere, since nothing is issued for it. */
export function visitGrant({ oidc }: KoaContextWithOIDC) {
  const grant = new oidc.provider.Grant({ accountId: oidc.session?.accountId ?? '', clientId: visitClientId })
  grant.addOIDCScope(visitScope)
  return grant
}
