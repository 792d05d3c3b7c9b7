import { createId } from '@recto/operation'
import { recordedCall, recordedOnce, type RecordedCall } from '@recto/testing'
import { hashToken } from '@recto/actor'
import * as grants from '../../grants/grants.repository.ts'
import * as sessions from '../../oauth/sessions.repository.ts'
import * as tokens from '../../users/tokens.repository.ts'
import type { IdentitySetup } from '../identity-setup.ts'
import { serviceAccountCalls } from '../service-account-records.ts'
import { needle, type RecordedOrganization } from '../recorded-organization.ts'

/** Calls about service accounts and about programs, with the changes that they record. */
export function programCalls(identity: () => IdentitySetup, organization: RecordedOrganization): RecordedCall[] {
  return [...serviceAccountCalls(organization), ...oauthCalls(identity, organization)]
}

/** Calls about programs, grants and sessions, with the changes that they record; those of the protocol are made by the tests of the pages. */
function oauthCalls(
  identity: () => IdentitySetup,
  { as, id, ids, keep, params, person }: RecordedOrganization,
): RecordedCall[] {
  const client = () => ({ ...params(), oauthClientId: id('oauthClient') })
  const own = async () => {
    const { db } = identity().service
    const token = await tokens.findByHash(db, hashToken(person('ada').token))
    return { db, userId: id('ada'), tokenId: token?.id ?? '', payload: Buffer.from(needle), ssoOrganization: null }
  }
  const addGrant = async (clientId = 'nothing') => {
    const { db, ...row } = await own()
    const createdAt = new Date()
    const expiresAt = new Date(Date.now() + 60_000)
    const program = { clientId, clientName: needle, clientHost: null, scopes: ['read'], lastUsedAt: null }
    ids['oauthGrant'] = createId()
    await grants.insert(db, { ...row, ...program, id: id('oauthGrant'), createdAt, expiresAt })
  }
  const addSession = async () => {
    const { db, ...row } = await own()
    const now = new Date()
    const expiresAt = new Date(Date.now() + 60_000)
    ids['session'] = createId()
    const times = { createdAt: now, lastSeenAt: now, expiresAt }
    await sessions.insert(db, { ...row, ...times, uid: id('session'), hash: createId(), userAgent: needle })
  }
  const create = async () => {
    const body = { name: needle, redirectURIs: ['https://needle.test/'] }
    await keep('oauthClient', (await as('ada')).createOAuthClient({ params: params(), body }))
  }
  const ended = (reason: string) =>
    ['oauth-grant.ended', 'user:ada oauthGrant', { reason }] satisfies [string, string, object]
  return [
    recordedCall('createOAuthClient', 'a program', create, ['oauth-client.created', 'oauthClient']),
    recordedCall('', 'a grant of the program', () => addGrant(id('oauthClient'))),
    ...recordedOnce(
      'deleteOAuthClient',
      async () => (await as('ada')).deleteOAuthClient({ params: client() }),
      ended('client'),
      ['oauth-client.deleted', 'oauthClient'],
    ),
    recordedCall('', 'a grant', () => addGrant()),
    ...recordedOnce(
      'deleteGrant',
      async () => (await as('ada')).deleteGrant({ params: { oauthGrantId: id('oauthGrant') } }),
      ended('user'),
    ),
    recordedCall('', 'another grant', () => addGrant()),
    ...recordedOnce(
      'deleteOrganizationGrant',
      async () =>
        (await as('ada')).deleteOrganizationGrant({ params: { ...params(), oauthGrantId: id('oauthGrant') } }),
      ended('admin'),
    ),
    recordedCall('', 'a session', addSession),
    ...recordedOnce(
      'deleteSession',
      async () => (await as('ada')).deleteSession({ params: { sessionId: id('session') } }),
      ['session.ended', 'user:ada session'],
    ),
  ]
}
