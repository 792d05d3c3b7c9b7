import { changeCredentials, readCredentials } from './credentials-file.ts'
import { needsRenewal, withRenewal } from './credentials.rules.ts'
import { renewLogin } from './oauth.ts'

/**
 * The token of an address, renewed where it ends soon. One process renews at a time: a refresh token that two use ends the whole login.
 * Throws what `renewLogin` throws.
 */
export async function renewedToken(file: string, url: string, signal: AbortSignal): Promise<string | undefined> {
  const credentials = await readCredentials(file)
  if (!needsRenewal(credentials, url, Date.now())) return credentials.tokens[url]
  const next = await changeCredentials(file, signal, async current => {
    const renewal = current.renewals?.[url]
    if (!renewal || !needsRenewal(current, url, Date.now())) return current
    return withRenewal(current, url, await renewLogin(url, renewal, signal))
  })
  return next.tokens[url]
}
