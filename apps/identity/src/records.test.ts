import { identityApi } from '@recto/contracts-identity'
import { query, transact } from '@recto/database'
import type { AdminCommand } from '@recto/service'
import {
  briefly,
  expectedChanges,
  failure,
  recordedCall,
  recordedOnce,
  recordingOperations,
  recordReader,
  typesOf,
  type RecordedCall,
  type RecordedFact,
} from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { issueToken, revokeTokens } from './members/people-commands.ts'
import { aContentResponder, type ContentResponder } from './test/content-responder.ts'
import { adminToken, anIdentity, type IdentitySetup } from './test/identity-setup.ts'
import { programCalls } from './test/oauth/oauth-records.ts'
import { oidcCalls } from './test/oidc/oidc-records.ts'
import { added, aRecordedOrganization, email, fields, needle } from './test/recorded-organization.ts'
import { aSignOn, type SignOn } from './test/saml/sign-on.ts'

let identity: IdentitySetup
let content: ContentResponder
let read: () => Promise<RecordedFact[]>
let signOn: SignOn
beforeAll(async () => {
  identity = await anIdentity({ environment: oidc.environment })
  content = await aContentResponder(identity)
  for (const name of ['ada', 'bob', 'cleo', 'dora']) await addPerson(name)
  read = recordReader('identity', async (sql, values) => query(identity.service.db, sql, values))
})
afterAll(async () => {
  await oidc.stop()
  await content.stop()
  await identity.stop()
})

const organization = aRecordedOrganization(() => identity)
const { ids, id, person, as, params, addPerson, keep, keepInvite, inviteBy } = organization
const { member, team, invite, provider } = organization
const oidc = oidcCalls(() => identity, organization)

const organizationCalls: RecordedCall[] = [
  recordedCall(
    'createOrganization',
    'an organization',
    async () => keep('organization', (await as('ada')).createOrganization({ body: { title: needle } })),
    ['organization.created'],
    ['member.added', 'user:ada', { role: 'admin' }],
  ),
  ...recordedOnce(
    'updateOrganizationById',
    async () => (await as('ada')).updateOrganizationById({ params: params(), body: { emailDomains: ['needle.test'] } }),
    ['organization.updated', '', fields('emailDomains')],
  ),
  ...recordedOnce('joinOrganization', async () => (await as('dora')).joinOrganization({ params: params() }), [
    ...added('dora', 'read'),
  ]),
  ...recordedOnce('inviteUsersToOrganization', () => inviteBy(email('bob'), email('eve')), added('bob', 'read'), [
    'invite.created',
    'invite',
    { role: 'read' },
  ]),
  ...recordedOnce('inviteUsersToOrganization', () => inviteBy({ email: email('eve'), role: 'edit' }), [
    'invite.updated',
    'invite',
    { role: 'edit' },
  ]),
  recordedCall(
    'createUser',
    'a user who was invited',
    async () =>
      keep('eve', (await identity.as(adminToken)).createUser({ body: { email: email('eve'), displayName: needle } })),
    ['invite.deleted', 'invite', { isAccepted: true }],
    added('eve', 'edit'),
  ),
  ...recordedOnce(
    'updateMemberInOrganizationById',
    async () => (await as('ada')).updateMemberInOrganizationById({ params: member('bob'), body: { role: 'edit' } }),
    ['member.updated', 'user:bob', { fields: ['role'], role: 'edit' }],
  ),
  ...recordedOnce(
    'setUserAsSSOMemberForOrganization',
    async () => (await as('ada')).setUserAsSSOMemberForOrganization({ params: member('bob') }),
    ['member.updated', 'user:bob', fields('sso')],
  ),
  ...recordedOnce(
    'removeMemberFromOrganizationById',
    async () => (await as('ada')).removeMemberFromOrganizationById({ params: member('eve') }),
    ['member.removed', 'user:eve', { role: 'edit' }],
  ),
]

const inviteCalls: RecordedCall[] = [
  recordedCall('inviteUsersToOrganization', 'an e-mail', () => inviteBy(email('fay')), [
    'invite.created',
    'invite',
    { role: 'read' },
  ]),
  ...recordedOnce('deletePendingInvite', async () => (await as('ada')).deletePendingInvite({ params: invite() }), [
    'invite.deleted',
    'invite',
  ]),
  recordedCall(
    'createOrganizationInvite',
    'a link',
    async () =>
      keep('invite', (await as('ada')).createOrganizationInvite({ params: params(), body: { role: 'read' } })),
    ['invite.created', 'invite', { isLink: true, role: 'read' }],
  ),
  ...recordedOnce(
    'updateOrganizationInviteById',
    async () => (await as('ada')).updateOrganizationInviteById({ params: invite(), body: { role: 'edit' } }),
    ['invite.updated', 'invite', { isLink: true, role: 'edit' }],
  ),
  recordedCall(
    'joinOrganizationWithInvite',
    'a user',
    async () => (await as('cleo')).joinOrganizationWithInvite({ params: invite() }),
    added('cleo', 'edit'),
  ),
  ...recordedOnce(
    'deleteOrganizationInviteById',
    async () => (await as('ada')).deleteOrganizationInviteById({ params: invite() }),
    ['invite.deleted', 'invite', { isLink: true }],
  ),
]

const changeTeam = async (body: object) => (await as('ada')).updateMembersInOrganizationTeam({ params: team(), body })
const teamCalls: RecordedCall[] = [
  recordedCall(
    'createOrganizationTeam',
    'a team',
    async () =>
      keep(
        'team',
        (await as('ada')).createOrganizationTeam({ params: params(), body: { title: needle, members: [id('bob')] } }),
      ),
    ['team.created', 'team'],
    ['team.member.added', 'team user:bob', { role: 'member' }],
  ),
  ...recordedOnce(
    'updateTeamInOrganizationById',
    async () => (await as('ada')).updateTeamInOrganizationById({ params: team(), body: { title: `${needle} 2` } }),
    ['team.updated', 'team', fields('title')],
  ),
  ...recordedOnce(
    'updateMembersInOrganizationTeam',
    async () => {
      await changeTeam({ add: [id('ada'), email('gil')], memberships: { [id('bob')]: { role: 'owner' } } })
      await keepInvite()
    },
    ['team.member.added', 'team user:ada', { role: 'member' }],
    ['team.member.updated', 'team user:bob', { role: 'owner' }],
    ['invite.created', 'invite', fields('teams')],
  ),
  ...recordedOnce(
    'updateMembersInOrganizationTeam',
    () => changeTeam({ remove: [id('ada'), email('gil')] }),
    ['team.member.removed', 'team user:ada'],
    ['invite.updated', 'invite team', fields('teams')],
  ),
  ...recordedOnce(
    'addMemberToOrganizationTeamById',
    async () =>
      (await as('ada')).addMemberToOrganizationTeamById({ params: { ...team(), userId: id('cleo') }, body: {} }),
    ['team.member.added', 'team user:cleo', { role: 'member' }],
  ),
  ...recordedOnce(
    'deleteMemberFromOrganizationTeamById',
    async () => (await as('ada')).deleteMemberFromOrganizationTeamById({ params: { ...team(), userId: id('cleo') } }),
    ['team.member.removed', 'team user:cleo'],
  ),
  ...recordedOnce(
    'removeTeamFromOrganizationById',
    async () => (await as('ada')).removeTeamFromOrganizationById({ params: team() }),
    ['team.deleted', 'team', { members: 1 }],
  ),
]

/** Runs a command of administration. */
async function run(command: AdminCommand, ...args: string[]): Promise<string[]> {
  const lines: string[] = []
  const { db } = identity.service
  const transaction = <T>(work: Parameters<typeof transact<T>>[2]) => transact(db, () => undefined, work)
  await command(args, { db, transaction, print: line => void lines.push(line) })
  return lines
}
const scopes = ['read', 'write', 'admin']
const keepCommandToken = async () => {
  await run(issueToken, email('ada'), needle)
  const { items } = await (await as('ada')).listTokens({})
  ids['token'] = items[0]?.id ?? ''
}

const tokenCalls: RecordedCall[] = [
  ...recordedOnce(
    'updateUserById',
    async () =>
      (await as('ada')).updateUserById({ params: { userId: id('ada') }, body: { displayName: `${needle} 3` } }),
    ['member.updated', 'user:ada', fields('displayName')],
  ),
  recordedCall(
    'createToken',
    'a token',
    async () => keep('token', (await as('ada')).createToken({ body: { name: needle, scopes: ['read'] } })),
    ['token.created', 'user:ada token', { scopes: ['read'], expiresAt: null }],
  ),
  ...recordedOnce('deleteToken', async () => (await as('ada')).deleteToken({ params: { tokenId: id('token') } }), [
    'token.deleted',
    'user:ada token',
  ]),
  recordedCall(
    'createTokenForUser',
    'a token',
    async () => {
      const client = await identity.as(adminToken)
      await keep('token', client.createTokenForUser({ params: { userId: id('ada') }, body: { name: needle } }))
    },
    ['token.created', 'user:ada token', { scopes, expiresAt: null }],
  ),
  recordedCall('', 'a token of the command issue', keepCommandToken, [
    'token.created',
    'user:ada token',
    { scopes, expiresAt: null },
  ]),
  recordedCall('', 'a token of the command revoke', () => run(revokeTokens, id('token')), [
    'token.deleted',
    'user:ada token',
  ]),
]

const samlCalls: RecordedCall[] = [
  recordedCall(
    'createOrganizationSAMLProvider',
    'a provider',
    async () => {
      const owner = { id: id('organization'), admin: person('ada') }
      signOn = await aSignOn(identity, { organization: owner, label: needle, defaultRole: 'read' })
      ids['samlProvider'] = signOn.provider
    },
    ['saml-provider.created', 'samlProvider'],
  ),
  recordedCall(
    'receiveSamlResponse',
    'a user who is new',
    async () => {
      const actor = await identity.actorOf(await signOn.token(email('hal')))
      Object.assign(ids, { hal: actor?.userId, token: actor?.ssoToken })
    },
    added('hal', 'read', true),
    ['member.signed-in', 'user:hal samlProvider token'],
  ),
  recordedCall(
    'receiveSamlResponse',
    'a response that answers nothing',
    async () => expect(await failure(signOn.post('<needle/>'))).toBe('unauthenticated'),
    ['member.sign-in.refused', 'samlProvider', { reason: 'structure' }],
  ),
  ...recordedOnce(
    'updateOrganizationSAMLProvider',
    async () =>
      (await as('ada')).updateOrganizationSAMLProvider({
        params: provider(),
        body: { entityID: 'https://needle.test' },
      }),
    ['saml-provider.updated', 'samlProvider', { fields: ['entityId'], revokedTokens: 1 }],
  ),
  ...recordedOnce(
    'deleteOrganizationSAMLProvider',
    async () => (await as('ada')).deleteOrganizationSAMLProvider({ params: provider() }),
    ['saml-provider.deleted', 'samlProvider', { revokedTokens: 0 }],
  ),
]

const people = [...organizationCalls, ...inviteCalls, ...teamCalls, ...tokenCalls]
const calls = [...people, ...programCalls(() => identity, organization), ...samlCalls, ...oidc.calls]

it.each(calls)('A call records what it changed: $operation, $what', async ({ call, expected, operation }) => {
  await call()
  const facts = await read()
  expect(facts.map(briefly)).toEqual(expectedChanges(expected, ids))
  if (operation) expect(typesOf(identityApi, operation)).toEqual(expect.arrayContaining(facts.map(({ type }) => type)))
  expect(JSON.stringify(facts).toLowerCase()).not.toContain('needle')
  const signIn = facts.find(({ type }) => type === 'member.signed-in')
  if (signIn) expect(signIn.actor).toEqual({ kind: 'user', id: signIn.subject['user'] })
})

it('An operation for admins that is refused to a member is recorded once a minute, and to outsiders never', async () => {
  await addPerson('outsider')
  const attempt = async (name: string) =>
    failure((await as(name)).createOrganizationTeam({ params: params(), body: { title: needle, members: [] } }))
  expect([await attempt('bob'), await attempt('bob'), await attempt('outsider')]).toEqual([
    'forbidden',
    'forbidden',
    'not_found',
  ])
  expect(await failure((await as('bob')).listPendingInvites({ params: params() }))).toBe('forbidden')
  const facts = await read()
  const operations = ['createOrganizationTeam', 'listPendingInvites']
  expect(facts.map(briefly)).toEqual(
    operations.map(operation => ({ type: 'access.refused', subject: {}, details: { operation } })),
  )
  expect(facts.map(({ actor }) => actor)).toEqual(operations.map(() => ({ kind: 'user', id: id('bob') })))
})

it('Every operation that records something is called by these tests', () => {
  const covered = new Set(calls.flatMap(({ operation }) => operation || []))
  expect([...covered].toSorted()).toEqual(recordingOperations(identityApi).toSorted())
})
