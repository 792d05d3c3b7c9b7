import type { BaseContext } from '../shared/context.ts'
import { continuedPage } from '../sign-ins/continued-page.ts'
import { signedInPage, type SignedIn } from '../sign-ins/signed-in-page.ts'
import { interactionId, interactionPath } from './interaction-path.ts'
import { tickets } from './tickets.ts'

/**
 * The page at the end of a single sign-on: it shows the token, or leads back to the authorization that the sign-in was begun for. The ticket
 * in that address is of use to the browser alone that has begun the authorization.
 */
export async function afterSignIn(
  context: BaseContext,
  signedIn: SignedIn,
  origin: string | undefined,
): Promise<string> {
  const interaction = interactionId(origin)
  if (interaction === undefined) return signedInPage(signedIn)
  const { db, publicUrl, signingSecret } = context
  const { tokenId } = signedIn
  const ticket = await tickets.issue(db, { content: { interaction, token: tokenId }, tokenId }, signingSecret)
  return continuedPage(`${publicUrl}${interactionPath(interaction)}/signed-in?ticket=${ticket}`)
}
