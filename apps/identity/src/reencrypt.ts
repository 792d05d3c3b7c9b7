import type { Secrets } from '@recto/operation'
import type { AdminCommand } from '@recto/service'
import { reencryptArtifacts } from './oauth/reencrypt-artifacts.ts'
import { reencryptSecrets } from './oidc/reencrypt-secrets.ts'

/** The command that encrypts all that the service stores encrypted with the present secret of the installation. */
export function reencrypt(secrets: Secrets): AdminCommand {
  return async (args, context) => {
    await reencryptSecrets(secrets)(args, context)
    await reencryptArtifacts(secrets)(args, context)
  }
}
