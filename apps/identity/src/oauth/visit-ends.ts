import { openVisitEnd, visitEndPath } from '@recto/actor/visit-request'
import * as users from '../users/users.repository.ts'
import { currentWork } from './current-work.ts'
import { endAnySession } from './end-session.ts'
import { formProof, hasProof } from './form-proof.ts'
import { badVisitPage, signOutPage } from './pages/visit-pages.ts'
import { expired, redirect, send, type Step } from './question.ts'
import { formTarget } from './redirect.rules.ts'
import { findSignedIn, type SignedIn } from './signed-in.ts'

/**
 * Signs a browser out that comes from a site, whatever that knows of it, and sends it back. Whoever is signed in is asked first: any page can
 * get the address for itself, and lead somebody to it.
 */
export async function answerVisitEnd(step: Step, method: string): Promise<void> {
  const { fields, response } = step
  const { publicUrl, signingSecret } = currentWork().context
  const text = fields.get('request') ?? ''
  const end = await openVisitEnd(text, publicUrl, signingSecret)
  if (!end || end.isExpired) return send(response, { status: 400, page: badVisitPage() })
  const signedIn = await findSignedIn(step)
  if (!signedIn) return redirect(response, end.returnTo)
  if (method !== 'POST') return askToEnd({ step, signedIn, text, end })
  if (!hasProof(fields, csrfFor(signedIn))) return expired(response)
  await currentWork().context.transaction(tx => endAnySession(tx, signedIn.session))
  redirect(response, end.returnTo)
}

/** A question whether to sign out: the request, and what it says. */
interface EndQuestion {
  step: Step
  signedIn: SignedIn
  text: string
  end: { host: string; returnTo: string }
}

async function askToEnd({ step, signedIn, text, end: { host, returnTo } }: EndQuestion): Promise<void> {
  const { email } = await users.get(currentWork().context.db, signedIn.signIn.row.userId)
  const form = { action: visitEndPath, csrf: csrfFor(signedIn) }
  const page = signOutPage({ host, email, form, request: text })
  send(step.response, { page, targets: [formTarget(returnTo)] })
}

/** The proof that a form is of a page of this session. */
function csrfFor({ session }: SignedIn): string {
  return formProof(['sign-out', session])
}
