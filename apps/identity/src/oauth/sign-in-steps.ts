import { hashToken } from '@recto/actor'
import { includesScope, recorded } from '@recto/contracts-shared'
import { recordForUser } from '../members/member-records.ts'
import { currentWork } from './current-work.ts'
import { endAnySession } from './end-session.ts'
import { findLogins } from './logins.ts'
import { signInPage } from './pages/pages.ts'
import { expired, finish, formOf, send, targetsOf, type Question, type Step } from './question.ts'
import { formTarget } from './redirect.rules.ts'
import { findSignInTokenByHash, type SignInToken } from './sign-in-token.ts'
import { tickets, type Ticket } from './tickets.ts'
import { visitOf } from './visit-client.ts'

/** Shows the page on which a person signs in. */
export async function showSignIn(
  { interaction, program, response }: Question,
  more: { search?: Parameters<typeof signInPage>[0]['search']; fault?: string },
): Promise<void> {
  const visit = await visitOf(interaction, currentWork().context)
  const page = signInPage({
    program,
    ...(visit && { host: visit.host }),
    token: formOf(interaction, 'sign-in'),
    organization: formOf(interaction, 'organization'),
    ...(more.search && { search: more.search }),
    ...(more.fault && { fault: more.fault }),
  })
  const targets = visit ? [formTarget(visit.redirectUri)] : targetsOf(interaction)
  send(response, { status: more.fault ? 401 : 200, page, targets })
}

/** Signs a person in with a token of their own. */
export async function signInWithToken(question: Question): Promise<void> {
  const { context } = currentWork()
  const token = (question.fields.get('token') ?? '').trim()
  const signIn = await findSignInTokenByHash(context.db, hashToken(token))
  const fault = signInFault(signIn)
  if (!signIn || fault !== undefined) {
    context.log.warn({ token: signIn?.row.id }, 'a sign-in at the authorization pages was refused')
    return showSignIn(question, { fault: fault ?? unknownToken })
  }
  const { userId: user, id } = signIn.row
  await context.transaction(tx =>
    recordForUser(tx, user, place => recorded('session.created', { ...place, token: id })),
  )
  await signedIn(question, id)
}

const unknownToken = 'This is no access token that signs in here.'

/** Why a token does not sign in. What a stranger can learn is the same for tokens that are unknown, expired and of others. */
function signInFault(signIn: SignInToken | undefined): string | undefined {
  if (!signIn) return unknownToken
  const { row, resolved } = signIn
  if (resolved.serviceAccount !== null) return 'A service account signs in nowhere: use its token itself.'
  if (row.grantId) return 'The token of a program signs in nowhere.'
  if (row.allowedAddresses) return 'A token that is bound to addresses signs in nowhere.'
  if (row.limitedTo) return 'A token that is limited to resources signs in nowhere.'
  if (!includesScope(row.scopes, 'user:tokens:write')) return 'The token lacks the scope user:tokens:write.'
  return undefined
}

/** Finds the single sign-on of an organization. */
export async function findOrganization(question: Question): Promise<void> {
  const text = (question.fields.get('organization') ?? '').trim().slice(0, 254)
  const logins = await findLogins(currentWork().context, text, question.interaction.uid)
  const fault = 'There is no single sign-on for this. Use an access token, or ask an administrator.'
  await showSignIn(question, { search: { text, logins }, ...(logins.length === 0 && { fault }) })
}

/** The browser comes back from a single sign-on with a ticket: it is used once, by the browser that has begun the authorization. */
export async function continueSignIn(question: Question): Promise<void> {
  const ticket = await takeTicket(question)
  if (!ticket || ticket.interaction !== question.interaction.uid) return expired(question.response)
  await signedIn(question, ticket.token)
}

/** Takes the ticket of an address: it is used up by whoever opens that, so that nobody else finds it of use. */
export async function takeTicket({ fields }: Step): Promise<Ticket | undefined> {
  const value = fields.get('ticket')
  if (value === null) return undefined
  const { db, signingSecret } = currentWork().context
  return tickets.take(db, value, signingSecret)
}

/** Goes on as who has signed in. A session of before is over: its id is never that of the new one. */
async function signedIn(question: Question, accountId: string): Promise<void> {
  const { interaction } = question
  const hadSession = interaction.session !== undefined
  await endSession(question)
  if (hadSession) await interaction.persist()
  // The cookie lasts as long as the browser is open: when a session ends unused, its row knows.
  await finish(question, { login: { accountId, remember: false } })
}

/** Signs the browser out, and asks once more who decides. */
export async function switchAccount(question: Question): Promise<void> {
  const { interaction } = question
  await endSession(question)
  interaction.prompt = { name: 'login', reasons: ['another_account'], details: {} }
  await interaction.persist()
  await showSignIn(question, {})
}

/** Ends the session of the browser, of which the interaction is no longer. */
async function endSession({ provider, request, response, interaction }: Question): Promise<void> {
  const session = await provider.Session.get(provider.createContext(request, response))
  if (session.accountId !== undefined) {
    await currentWork().context.transaction(tx => endAnySession(tx, session.uid))
    await session.destroy()
  }
  delete interaction.session
}
