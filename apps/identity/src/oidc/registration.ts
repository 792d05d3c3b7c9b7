import type { Secrets } from '@recto/operation'
import type { Registration } from '../openid/code-flow.ts'
import { clientSecrets } from './client-secrets.ts'
import { serviceUrls, type ActiveProvider } from './provider.rules.ts'

/** This application at a provider, with its secret decrypted. */
export function registrationOf(
  provider: ActiveProvider,
  { publicUrl, signingSecret }: { publicUrl: string; signingSecret: Secrets },
): Registration {
  return {
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: clientSecrets.unseal(provider.clientSecret, provider.id, signingSecret),
    redirectUrl: serviceUrls(provider, publicUrl).redirectURL,
    scopes: provider.scopes,
  }
}
