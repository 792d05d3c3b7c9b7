import type { OpenIdSettings } from '@recto/openid'
import type { Secrets } from '@recto/operation'
import { clientSecrets } from './client-secrets.ts'
import type { ActiveProvider } from './provider.rules.ts'

/** This application at a provider, with its secret decrypted. */
export function registrationOf(
  { id, issuer, clientId, clientSecret }: ActiveProvider,
  { signingSecret }: { signingSecret: Secrets },
): OpenIdSettings {
  return { issuer, clientId, clientSecret: clientSecrets.unseal(clientSecret, id, signingSecret) }
}
