import { busClient, type Bus } from '@recto/bus'
import { peopleCalls } from '@recto/contracts-identity-bus'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, aTeam, type TestUser } from '../test/factories.ts'
import { anIdentity, type IdentitySetup } from '../test/identity-setup.ts'

/** A member, or a user, as a reply has it. */
type Fields = Record<string, unknown>
type Caller = 'admin' | 'reader' | 'guest'

let identity: IdentitySetup
let content: Bus
let organization: { id: string; admin: TestUser }
let subject: TestUser
let teamId: string
let callers: Record<Caller, TestUser>

beforeAll(async () => {
  identity = await anIdentity()
  content = await identity.connectAs('content')
  organization = await anOrganization(identity)
  const reader = await aMember(identity, organization.id)
  const guest = await aMember(identity, organization.id, null)
  callers = { admin: organization.admin, reader, guest }
  subject = await aMember(identity, organization.id, 'review')
  const params = { organizationId: organization.id, userId: subject.id }
  await (await organization.admin.client()).setUserAsSSOMemberForOrganization({ params })
  // Seen at this time.
  await subject.client()
  teamId = await aTeam(identity, organization, { members: [subject], owners: [guest] })
})
afterAll(async () => {
  await content.drain()
  await identity.stop()
})

const people = () => busClient(content, peopleCalls, { service: 'identity' })
async function askedBy(caller: Caller, users: string[]) {
  const actor = await identity.actorOf(callers[caller].token)
  if (!actor) throw new Error(`${caller} has no token`)
  return { actor, organization: organization.id, users }
}
/** The members of the team: guests see them when they own it. */
async function inTeam(caller: Caller, user: string): Promise<Fields | undefined> {
  const params = { organizationId: organization.id, teamId }
  const { items } = await (await callers[caller].client()).listTeamMembersInOrganizationById({ params })
  return items.find(item => item.organization.id === user)?.organization
}
const commenter = async (caller: Caller, user: string): Promise<Fields | undefined> =>
  (await people().describeMembers({ body: await askedBy(caller, [user]) })).members[0]
const author = async (caller: Caller, user: string): Promise<Fields | undefined> => {
  const body = { ...(await askedBy(caller, [user])), teams: [] }
  return (await people().describePeople({ body })).users[0]
}

const whole = {
  object: 'member',
  role: 'review',
  disabled: false,
  sso: true,
  teams: 1,
  lastSeenAt: expect.any(String),
  joinedAt: expect.any(String),
  user: { email: expect.any(String) },
}
const neutral = { object: 'member', role: null, disabled: false, sso: false, teams: 0, spaces: 0 }

describe.each([
  ['in a team', inTeam],
  ['as commenters', commenter],
])('members %s', (_where, read) => {
  it.each<Caller>(['admin', 'reader'])('are seen whole by a caller who is %s', async caller => {
    expect(await read(caller, subject.id)).toMatchObject(whole)
  })

  it('are seen by guests as no more than people with a name', async () => {
    const seen = (await read('guest', subject.id)) ?? {}
    expect(seen).toMatchObject({ ...neutral, id: subject.id, user: { id: subject.id, displayName: 'Ada' } })
    expect([seen['lastSeenAt'], seen['user']]).toEqual([
      undefined,
      expect.not.objectContaining({ email: subject.email }),
    ])
  })

  it('who are the caller are seen whole by them', async () => {
    const { guest } = callers
    expect(await read('guest', guest.id)).toMatchObject({ role: null, teams: 1, user: { email: guest.email } })
  })
})

it('authors have no e-mail for guests but themselves', async () => {
  const emailFor = async (caller: Caller, user: string) => (await author(caller, user))?.['email']
  expect(await emailFor('reader', subject.id)).toBe(subject.email)
  expect(await emailFor('guest', subject.id)).toBeUndefined()
  expect(await emailFor('guest', callers.guest.id)).toBe(callers.guest.email)
})
