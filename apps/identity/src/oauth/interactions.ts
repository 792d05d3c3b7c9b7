import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hashToken } from '@recto/actor'
import { includesScope, recorded } from '@recto/contracts-shared'
import type Provider from 'oidc-provider'
import type { Interaction } from 'oidc-provider'
import { recordForUser } from '../members/member-records.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import * as users from '../users/users.repository.ts'
import { mayUse } from './account.ts'
import * as artifacts from './artifacts.repository.ts'
import { currentWork, type Program } from './current-work.ts'
import { interactionPath } from './interaction-path.ts'
import { interactionKey } from './interaction-key.ts'
import { findLogins } from './logins.ts'
import { formTarget, redirectPlace } from './redirect.rules.ts'
import { consentPage, messagePage, signInPage, type PageForm, type ShownProgram } from './pages/pages.ts'
import { pageHeaders, renderPage, type Page } from './pages/layout.ts'
import { allowedScopes, describeScope, grantableScopes } from './scopes.rules.ts'
import { artifactHash } from './sealed-payload.ts'
import { findSignInToken, findSignInTokenByHash, type SignInToken } from './sign-in-token.ts'
import { ticketKind, ticketOf, type Ticket } from './tickets.ts'

/** A step of a person: the authorization server, the exchange, and the fields of the form or the query. */
export interface Step {
  provider: Provider
  request: IncomingMessage
  response: ServerResponse
  fields: URLSearchParams
}

/** A question to a person, and the program that it is about. */
interface Question extends Step {
  interaction: Interaction
  program: ShownProgram
}

type Act = (question: Question) => Promise<void>

/** Steps by the end of their path: all of them need the cookie of the browser that has begun the authorization. */
const steps: Record<string, Act> = {
  'GET ': showQuestion,
  'POST /sign-in': checked('sign-in', signInWithToken),
  'POST /organization': checked('organization', findOrganization),
  'GET /signed-in': continueSignIn,
  'POST /answer': checked('answer', answerConsent),
}

/** Answers a step of a person; nothing of an interaction is shown to another browser than the one that has begun it. */
export async function answerStep(step: Step, { method, rest }: { method: string; rest: string }): Promise<void> {
  const act = steps[`${method} ${rest}`]
  const interaction = await step.provider.interactionDetails(step.request, step.response).catch((error: unknown) => {
    if ((error as Error).name === 'SessionNotFound') return undefined
    throw error
  })
  if (!interaction) await takeTicket(step)
  if (!act || !interaction) return expired(step)
  await act({ ...step, interaction, program: await programOf(step.provider, interaction) })
}

function expired({ response }: Step): void {
  const text = 'It has expired, or it was begun in another browser. Begin again in the program.'
  send(response, { status: 400, page: messagePage('This does not go on', text) })
}

/** Refuses a form that another page has sent. */
function checked(purpose: string, act: Act): Act {
  return async question => {
    const sent = Buffer.from(question.fields.get('csrf') ?? '')
    const own = Buffer.from(csrfOf(question.interaction, purpose))
    if (sent.length !== own.length || !timingSafeEqual(sent, own)) return expired(question)
    await act(question)
  }
}

/** The proof that a form is of a page of this interaction and this session. */
function csrfOf({ jti, session, iat }: Interaction, purpose: string): string {
  const key = interactionKey(currentWork().context.signingSecret)
  return createHmac('sha256', key)
    .update(JSON.stringify([purpose, jti, session?.cookie, iat]))
    .digest('base64url')
}

const formOf = (interaction: Interaction, purpose: string): PageForm => ({
  action: `${interactionPath(interaction.uid)}/${purpose}`,
  csrf: csrfOf(interaction, purpose),
})

async function showQuestion(question: Question): Promise<void> {
  if (question.interaction.prompt.name === 'login') return showSignIn(question, {})
  const signIn = await signInOf(question)
  if (!signIn) return expired(question)
  const { interaction, program, response } = question
  if (!(await mayUse(signIn, clientIdOf(interaction))))
    return finish(question, {
      error: 'access_denied',
      error_description: 'The program is for members of its organization',
    })
  const { resolved } = signIn
  const scopes = allowedScopes(scopeOf(interaction), resolved.scopes)
  if (scopes.length === 0)
    return finish(question, {
      error: 'invalid_scope',
      error_description: 'Nothing that it asks for can be allowed',
    })
  const { db, oauthTtl } = currentWork().context
  const rows = await organizations.findByIds(
    db,
    resolved.memberships.map(({ organization }) => organization),
  )
  const titles = rows.map(({ title }) => title)
  const page = consentPage({
    program,
    email: (await users.get(db, resolved.userId)).email,
    organizations: titles.length > 0 ? titles : ['The whole installation'],
    scopes: scopes.map(describeScope),
    until: grantEnd(signIn, oauthTtl.grant).toISOString().slice(0, 10),
    form: formOf(interaction, 'answer'),
  })
  send(response, { page, targets: targetsOf(interaction) })
}

function showSignIn(
  { interaction, program, response }: Question,
  more: { search?: Parameters<typeof signInPage>[0]['search']; fault?: string },
): void {
  const page = signInPage({
    program,
    token: formOf(interaction, 'sign-in'),
    organization: formOf(interaction, 'organization'),
    ...(more.search && { search: more.search }),
    ...(more.fault && { fault: more.fault }),
  })
  send(response, { status: more.fault ? 401 : 200, page, targets: targetsOf(interaction) })
}

async function signInWithToken(question: Question): Promise<void> {
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

async function findOrganization(question: Question): Promise<void> {
  const text = (question.fields.get('organization') ?? '').trim().slice(0, 254)
  const logins = await findLogins(currentWork().context, text, question.interaction.uid)
  const fault = 'There is no single sign-on for this. Use an access token, or ask an administrator.'
  showSignIn(question, { search: { text, logins }, ...(logins.length === 0 && { fault }) })
}

/** The browser comes back from a single sign-on with a ticket: it is used once, by the browser that has begun the authorization. */
async function continueSignIn(question: Question): Promise<void> {
  const ticket = await takeTicket(question)
  if (!ticket || ticket.interaction !== question.interaction.uid) return expired(question)
  await signedIn(question, ticket.token)
}

/** Takes the ticket of an address: it is used up by whoever opens that, so that nobody else finds it of use. */
async function takeTicket({ fields }: Step): Promise<Ticket | undefined> {
  const value = fields.get('ticket')
  if (value === null) return undefined
  const { db, signingSecret } = currentWork().context
  const row = await artifacts.take(db, { kind: ticketKind, hash: artifactHash(value) })
  return row && ticketOf(row, signingSecret)
}

/** Goes on as who has signed in. A session of before is over: its id is never that of the new one. */
async function signedIn(question: Question, accountId: string): Promise<void> {
  const { provider, request, response, interaction } = question
  const session = await provider.Session.get(provider.createContext(request, response))
  if (session.accountId !== undefined) await session.destroy()
  if (interaction.session) {
    delete interaction.session
    await interaction.persist()
  }
  await finish(question, { login: { accountId } })
}

async function answerConsent(question: Question): Promise<void> {
  const { interaction, fields, provider } = question
  const signIn = await signInOf(question)
  if (!signIn) return expired(question)
  if (fields.get('decision') !== 'allow')
    return finish(question, { error: 'access_denied', error_description: 'The person has denied it' })
  const scopes = allowedScopes(scopeOf(interaction), signIn.resolved.scopes)
  const clientId = clientIdOf(interaction)
  if (scopes.length === 0 || !(await mayUse(signIn, clientId))) return expired(question)
  const work = currentWork()
  work.program = storedProgram(question.program)
  const end = grantEnd(signIn, work.context.oauthTtl.grant)
  const expiresIn = Math.max(1, Math.floor((end.getTime() - Date.now()) / 1000))
  const grant = new provider.Grant({ accountId: signIn.row.id, clientId, expiresIn } as never)
  const refused = grantableScopes.filter(scope => !scopes.includes(scope))
  for (const resource of [interaction.params['resource']].flat() as string[]) {
    grant.addResourceScope(resource, scopes.join(' '))
    grant.rejectResourceScope(resource, refused.join(' '))
  }
  grant.rejectOIDCScope('openid offline_access')
  await finish(question, { consent: { grantId: await grant.save() } })
}

/** The sign-in of the interaction, if it is that of this browser's session, too. */
async function signInOf({ provider, request, response, interaction }: Question): Promise<SignInToken | undefined> {
  const session = await provider.Session.get(provider.createContext(request, response))
  const { accountId } = session
  if (accountId === undefined || accountId !== interaction.session?.accountId) return undefined
  return session.uid === interaction.session.uid ? findSignInToken(currentWork().context.db, accountId) : undefined
}

/** When a grant ends: after its lifetime, or with the token that its user has signed in with. */
function grantEnd({ row }: SignInToken, ttl: number): Date {
  return new Date(Math.min(Date.now() + ttl * 1000, row.expiresAt?.getTime() ?? Infinity))
}

function finish({ provider, request, response }: Question, result: Parameters<Provider['interactionFinished']>[2]) {
  return provider.interactionFinished(request, response, result)
}

async function programOf(provider: Provider, interaction: Interaction): Promise<ShownProgram> {
  const clientId = clientIdOf(interaction)
  const client = await provider.Client.find(clientId)
  const uri = redirectUriOf(interaction)
  const place = uri === undefined ? undefined : redirectPlace(uri)
  return { name: client?.clientName ?? clientId, place: place ?? null }
}

const storedProgram = ({ name, place }: ShownProgram): Program => ({ name, host: place?.name ?? null })
const stringOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
const scopeOf = ({ params }: Interaction) => stringOf(params['scope'])
const clientIdOf = ({ params }: Interaction) => stringOf(params['client_id']) ?? ''
const redirectUriOf = ({ params, deviceCode }: Interaction) =>
  deviceCode === undefined ? stringOf(params['redirect_uri']) : undefined

function targetsOf(interaction: Interaction): string[] {
  const uri = redirectUriOf(interaction)
  return uri === undefined ? [] : [formTarget(uri)]
}

function send(
  response: ServerResponse,
  { status = 200, page, targets = [] }: { status?: number; page: Page; targets?: string[] },
): void {
  response.writeHead(status, pageHeaders(targets)).end(renderPage(page))
}
