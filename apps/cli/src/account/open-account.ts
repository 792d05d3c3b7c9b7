import type { Connection } from '../api/api-client.ts'
import { UsageFailure } from '../terminal/command.ts'
import { accountSettings } from '../terminal/config.ts'
import { readCredentials } from './credentials-file.ts'
import { chooseAccount } from './credentials.rules.ts'
import { renewedToken } from './renew-account.ts'

/** The API that a command calls, with the token of the caller. Throws `UsageFailure` without one. */
export async function openAccount(signal: AbortSignal, folderUrl?: string): Promise<Connection> {
  const { credentialsFile, ...override } = accountSettings()
  const credentials = await readCredentials(credentialsFile)
  const account = chooseAccount(credentials, override, folderUrl)
  if (typeof account === 'string') throw new UsageFailure(account)
  const { url } = account
  if (account.token !== credentials.tokens[url]) return account
  return { url, token: (await renewedToken(credentialsFile, url, signal)) ?? account.token }
}
