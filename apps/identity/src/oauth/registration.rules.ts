import { redirectUriFault } from '@recto/contracts-identity'
import { z } from 'zod'
import { withoutControls } from '../sign-ins/account.rules.ts'
import { redirectPlace } from './redirect.rules.ts'

/** The metadata that a program may register; anything else is ignored, as RFC 7591 has it: no address of it is ever fetched. */
const Registration = z.object({
  client_name: z.string().trim().min(1).max(64).optional(),
  redirect_uris: z.array(z.string().max(2048)).min(1).max(20),
  grant_types: z.array(z.string()).max(10).optional(),
  response_types: z.array(z.string()).max(10).optional(),
  token_endpoint_auth_method: z.string().max(50).optional(),
})

/** The metadata that is registered, or the error of RFC 7591, section 3.2.2. */
export type RegistrationResult = { metadata: Record<string, unknown> } | { error: string; description: string }

const supportedGrants = ['authorization_code', 'refresh_token']

/** Whether a redirect URI is one of those that may be registered. */
export function allowsRedirect(uri: string, allow: readonly string[]): boolean {
  const place = redirectPlace(uri)
  if (!place || redirectUriFault(uri) !== undefined) return false
  const { protocol, hostname } = new URL(uri)
  if (place.isLoopback) return protocol === 'http:' && allow.includes('loopback')
  if (protocol !== 'https:') return allow.includes(protocol)
  return allow.some(entry => {
    if (entry.startsWith('*.')) return hostname.endsWith(entry.slice(1)) && hostname.length > entry.length - 1
    return entry === hostname
  })
}

/** Reads the entries of the allow list. */
export function parseAllowList(text: string): string[] {
  return text
    .split(',')
    .map(entry => entry.trim().toLowerCase())
    .filter(entry => entry !== '')
}

const printable = (uri: string) => uri.replaceAll(/[^\x21-\x7e]/g, '?')

/** Checks and reduces what a program wants to register. */
export function readRegistration(body: unknown, allow: readonly string[]): RegistrationResult {
  const { success, data } = Registration.safeParse(body)
  if (!success)
    return { error: 'invalid_client_metadata', description: 'The metadata has no redirect_uris, or too much' }
  const refused = data.redirect_uris.find(uri => !allowsRedirect(uri, allow))
  if (refused !== undefined)
    return {
      error: 'invalid_redirect_uri',
      description: `This installation does not let programs register ${printable(refused)}`,
    }
  // Grants that are not supported are left out, as RFC 7591 lets a server do; the reply says which are there.
  const grantTypes = (data.grant_types ?? supportedGrants).filter(type => supportedGrants.includes(type))
  if (!grantTypes.includes('authorization_code'))
    return { error: 'invalid_client_metadata', description: 'The grant_types need authorization_code' }
  const isNative = data.redirect_uris.some(uri => redirectPlace(uri)?.isLoopback || !uri.startsWith('https:'))
  return {
    metadata: {
      client_name: withoutControls(data.client_name ?? '') || 'A program without a name',
      redirect_uris: data.redirect_uris,
      grant_types: grantTypes,
      response_types: ['code'],
      // A program on the computer of a person keeps no secret, whatever it asks for.
      token_endpoint_auth_method: isNative ? 'none' : (data.token_endpoint_auth_method ?? 'none'),
      application_type: isNative ? 'native' : 'web',
    },
  }
}
