import type { Db, Transaction } from '@recto/database'
import type { Role } from '@recto/actor'
import { createId, scopes } from '@recto/operation'
import type { BaseContext } from '../shared/context'
import { acceptInvites, lockNewcomer } from '../invites/accept-invites'
import { join } from '../members/add-members'
import * as members from '../members/members.repository.ts'
import * as organizations from '../organizations/organizations.repository.ts'
import * as places from '../members/team-members.repository'
import * as teams from '../members/teams.repository'
import * as tokens from '../users/tokens.repository'
import { issueToken } from '../users/tokens.rules'
import * as users from '../users/users.repository.ts'
import type { Accepted, Assertion } from './assertion.rules.ts'
import type { SignedIn } from './signed-in-page'
import { displayNameOf, emailOf, planSignIn } from './subject.rules'
import type { ActiveProvider } from './provider.rules.ts'
import * as providers from './providers.repository.ts'
import { refusalOf, refused } from './refusal.ts'
import { takeResponse } from './service-provider.ts'
import * as signIns from './sign-ins.repository.ts'

const longestNoted = 86_400_000

/** Somebody of whom the identity provider speaks. */
interface Person {
  email: string
  displayName: string
}

/** Ends a sign-in: everything or nothing, in one transaction. Why one is refused is in the log and nowhere else. */
export async function signIn(context: BaseContext, provider: ActiveProvider, field: string): Promise<SignedIn> {
  try {
    const now = new Date()
    const assertion = takeResponse(provider, context.sso, { field, now: now.getTime() })
    const email = emailOf(assertion)
    if (email === undefined) throw refused('name_id')
    const person = { email, displayName: displayNameOf(assertion, email) }
    const { signedIn, userId } = await context.transaction(tx =>
      enter(tx, { provider, assertion, person, now, ttl: context.sso.tokenTtl }),
    )
    context.log.info(
      { provider: provider.id, organization: provider.organizationId, user: userId },
      'somebody signed in by single sign-on',
    )
    return signedIn
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal)
      context.log.warn(
        { provider: provider.id, organization: provider.organizationId, ...refusal },
        'a single sign-on was refused',
      )
    throw error
  }
}

interface Entering {
  provider: ActiveProvider
  assertion: Assertion & Accepted
  person: Person
  now: Date
  ttl: number
}

async function enter(
  tx: Transaction,
  { provider, assertion, person, now, ttl }: Entering,
): Promise<{ signedIn: SignedIn; userId: string }> {
  const organization = provider.organizationId
  await lockNewcomer(tx, person.email, [organization])
  const { defaultRole, defaultTeam } = await providers.hold(tx, { organization, provider: provider.id })
  await consume(tx, provider.id, assertion)
  const userId = await findOrCreate(tx, {
    organization,
    person,
    place: { role: defaultRole, team: defaultTeam },
    now,
  })
  const expiresAt = new Date(Math.min(now.getTime() + ttl * 1000, assertion.sessionEnd ?? Infinity))
  const request = {
    name: `Single sign-on (${provider.label})`,
    scopes: [...scopes],
    expiresAt: expiresAt.toISOString(),
  }
  const { row, token } = issueToken(request, { userId, held: [...scopes], sso: organization, now })
  await tokens.insert(tx, row)
  const { title } = await organizations.get(tx, organization)
  return { signedIn: { email: person.email, organization: title, token, expiresAt }, userId }
}

/** Once for each request, and once for each assertion whatever it answers. */
async function consume(db: Db, provider: string, { id, inResponseTo, expiresAt }: Assertion & Accepted): Promise<void> {
  const noted = new Date(Math.min(expiresAt, Date.now() + longestNoted))
  if (!(await signIns.noteAssertion(db, { id, provider, expiresAt: noted }))) throw refused('replayed')
  if (!(await signIns.takeRequest(db, { id: inResponseTo, provider }))) throw refused('not_requested')
}

interface Finding {
  organization: string
  person: Person
  place: { role: Role | null; team: string | null }
  now: Date
}

/** The user who signs in, made where the e-mail is nobody's; throws the refusal where an account is not for this sign-on. */
async function findOrCreate(tx: Transaction, finding: Finding): Promise<string> {
  const user = await users.findByEmail(tx, finding.person.email)
  const member = user && (await members.find(tx, { organization: finding.organization, userId: user.id }))
  const plan = planSignIn({ user: user !== undefined, member })
  if (plan === 'create') return create(tx, finding)
  if (plan !== 'enter' || !user) throw refused(plan === 'enter' ? 'outside' : plan)
  return user.id
}

async function create(tx: Transaction, { organization, person, place, now }: Finding): Promise<string> {
  const user = { ...person, id: createId(), photoUrl: null, platformAdmin: false, createdAt: now }
  await users.insert(tx, user)
  const who = { organization, userId: user.id }
  await acceptInvites(tx, user)
  await join(tx, { ...who, role: place.role, sso: true })
  // Who was invited has role and teams of the invite, and signs in here all the same.
  await members.markSso(tx, who)
  await addToTeam(tx, who, place.team)
  return user.id
}

async function addToTeam(
  db: Db,
  { organization, userId }: { organization: string; userId: string },
  team: string | null,
): Promise<void> {
  if (team === null || !(await teams.hold(db, { organization, team }))) return
  if (await places.roleOf(db, { organization, team }, userId)) return
  await places.set(db, { organization, team }, [{ userId, role: 'member' }])
}
