import { currentWork } from './current-work.ts'
import type { Step } from './question.ts'
import { findSignInToken, type SignInToken } from './sign-in-token.ts'

/** Who is signed in, and the session of their browser. */
export interface SignedIn {
  session: string
  signIn: SignInToken
}

/** Who is signed in at a browser; nobody, once the token of the sign-in has ended. */
export async function findSignedIn({
  provider,
  request,
  response,
}: Pick<Step, 'provider' | 'request' | 'response'>): Promise<SignedIn | undefined> {
  const { accountId, uid } = await provider.Session.get(provider.createContext(request, response))
  const signIn = accountId === undefined ? undefined : await findSignInToken(currentWork().context.db, accountId)
  return signIn && { session: uid, signIn }
}
