import { createHash } from 'node:crypto'
import * as organizations from '../organizations/organizations.repository.ts'
import * as users from '../users/users.repository.ts'
import { mayUse } from './account.ts'
import { currentWork } from './current-work.ts'
import { consentPage, refusedPage } from './pages/pages.ts'
import { clientIdOf, expired, finish, formOf, scopeOf, send, targetsOf, type Question } from './question.ts'
import { allowedScopes, describeScope, grantableScopes } from './scopes.rules.ts'
import { switchAccount } from './sign-in-steps.ts'
import { findSignInToken, type SignInToken } from './sign-in-token.ts'

/** Shows what a program asks for, or why nothing of it can be allowed. */
export async function showConsent(question: Question): Promise<void> {
  const signIn = await signInOf(question)
  if (!signIn) return expired(question.response)
  const { interaction, program, response } = question
  const { resolved } = signIn
  const { db, oauthTtl } = currentWork().context
  const { email } = await users.get(db, resolved.userId)
  const form = formOf(interaction, 'answer')
  const refusal = await refusalOf(question, signIn)
  if (refusal) {
    const page = refusedPage({ program, email, reason: refusal.reason, form })
    return send(response, { status: 403, page, targets: targetsOf(interaction) })
  }
  const rows = await organizations.findByIds(
    db,
    resolved.memberships.map(({ organization }) => organization),
  )
  const titles = rows.map(({ title }) => title)
  const page = consentPage({
    program,
    email,
    organizations: titles.length > 0 ? titles : ['The whole installation'],
    scopes: allowedScopes(scopeOf(interaction), resolved.scopes).map(describeScope),
    until: grantEnd(signIn, oauthTtl.grant).toISOString().slice(0, 10),
    form,
  })
  send(response, { page, targets: targetsOf(interaction) })
}

/** Why nothing can be allowed with an account: for its owner, and the error for the program. */
interface Refusal {
  reason: string
  error: 'access_denied' | 'invalid_scope'
  description: string
}

async function refusalOf({ interaction }: Question, signIn: SignInToken): Promise<Refusal | undefined> {
  if (!(await mayUse(signIn, clientIdOf(interaction))))
    return {
      reason: 'The program is for members of the organization that has registered it. This account is none of them.',
      error: 'access_denied',
      description: 'The program is for members of its organization',
    }
  if (allowedScopes(scopeOf(interaction), signIn.resolved.scopes).length === 0)
    return {
      reason: 'The token that you have signed in with may do nothing of what the program asks for.',
      error: 'invalid_scope',
      description: 'Nothing that it asks for can be allowed',
    }
  return undefined
}

/** Takes the answer of a person: they allow, deny, or use another account. */
export async function answerConsent(question: Question): Promise<void> {
  const { interaction, fields, provider } = question
  const signIn = await signInOf(question)
  if (!signIn) return expired(question.response)
  const decision = fields.get('decision')
  if (decision === 'switch') return switchAccount(question)
  const refusal = await refusalOf(question, signIn)
  if (decision !== 'allow' || refusal) {
    const { error, description } = refusal ?? { error: 'access_denied', description: 'The person has denied it' }
    return finish(question, { error, error_description: description })
  }
  const scopes = allowedScopes(scopeOf(interaction), signIn.resolved.scopes)
  const clientId = clientIdOf(interaction)
  const work = currentWork()
  work.program = { name: question.program.name, host: question.program.place?.name ?? null }
  const end = grantEnd(signIn, work.context.oauthTtl.grant)
  const expiresIn = Math.max(1, Math.floor((end.getTime() - Date.now()) / 1000))
  // A form that is submitted twice makes one grant.
  const jti = createHash('sha256').update(`grant of ${interaction.uid}`).digest('base64url')
  const grant = new provider.Grant({ jti, accountId: signIn.row.id, clientId, expiresIn } as never)
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
