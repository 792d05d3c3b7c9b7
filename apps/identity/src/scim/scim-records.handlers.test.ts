import { identityScim } from '@recto/contracts-identity'
import { query } from '@recto/database'
import {
  briefly,
  expectedChanges,
  recordReader,
  typesOf,
  type ExpectedChange,
  type NamedIds,
  type RecordedFact,
} from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { anOrganization } from '../test/factories.ts'
import { aScimToken } from '../test/scim/provisioned-organization.ts'
import { aScimSetup, type ScimSetup, type ScimRequest, type SendScim } from '../test/scim/endpoint.ts'

let setup: ScimSetup
let send: SendScim
let read: () => Promise<RecordedFact[]>
const ids: NamedIds = {}
let account: string

beforeAll(async () => {
  setup = await aScimSetup()
  const organization = await anOrganization(setup.identity)
  const token = await aScimToken(organization)
  account = (await setup.identity.actorOf(token))?.userId ?? ''
  send = setup.as(token)
  read = recordReader('identity', async (sql, values) => query(setup.identity.service.db, sql, values))
  await read()
})
afterAll(async () => {
  await setup.stop()
})

const ann = { userName: 'needle@corp.test', displayName: 'Needle', title: 'Needle', externalId: 'needle' }
const user = () => `/Users/${ids['user']}`
const group = () => `/Groups/${ids['group']}`
const patch = (path: string, ...Operations: object[]) => ({ method: 'PATCH', path, body: { Operations } })
const member = (op: string) => patch(group(), { op, path: 'members', value: [{ value: ids['user'] }] })

type Step = [
  title: string,
  operation: keyof typeof identityScim,
  request: () => ScimRequest,
  expected: ExpectedChange[],
  keep?: string,
]

const steps: Step[] = [
  [
    'a user',
    'createScimUser',
    () => ({ method: 'POST', path: '/Users', body: ann }),
    [['member.added', 'user', { role: 'read', sso: true }]],
    'user',
  ],
  ['the same user', 'replaceScimUser', () => ({ method: 'PUT', path: user(), body: ann }), []],
  [
    'other attributes',
    'replaceScimUser',
    () => ({ method: 'PUT', path: user(), body: { ...ann, title: 'Other needle', displayName: 'Other' } }),
    [['member.updated', 'user', { fields: ['title', 'displayName'] }]],
  ],
  [
    'a role',
    'patchScimUser',
    () => patch(user(), { op: 'replace', path: 'roles', value: [{ value: 'edit' }] }),
    [['member.updated', 'user', { fields: ['role'], role: 'edit' }]],
  ],
  [
    'a role that goes',
    'patchScimUser',
    () => patch(user(), { op: 'remove', path: 'roles' }),
    [['member.updated', 'user', { fields: ['role'], role: 'read' }]],
  ],
  [
    'a user who is disabled',
    'patchScimUser',
    () => patch(user(), { op: 'replace', value: { active: false } }),
    [['member.updated', 'user', { fields: ['disabled'], disabled: true }]],
  ],
  [
    'a user who is disabled already',
    'patchScimUser',
    () => patch(user(), { op: 'replace', value: { active: false } }),
    [],
  ],
  [
    'a user who is enabled',
    'patchScimUser',
    () => patch(user(), { op: 'replace', value: { active: true } }),
    [['member.updated', 'user', { fields: ['disabled'], disabled: false }]],
  ],
  [
    'a group',
    'createScimGroup',
    () => ({ method: 'POST', path: '/Groups', body: { displayName: 'Needle' } }),
    [['team.created', 'team:group']],
    'group',
  ],
  [
    'a member of a group',
    'patchScimGroup',
    () => member('add'),
    [['team.member.added', 'team:group user', { role: 'member' }]],
  ],
  ['the same member of a group', 'patchScimGroup', () => member('add'), []],
  [
    'attributes of a group',
    'replaceScimGroup',
    () => ({ method: 'PUT', path: group(), body: { displayName: 'Needles', externalId: 'needle' } }),
    [['team.updated', 'team:group', { fields: ['title', 'attributes'] }]],
  ],
  ['a member who leaves', 'patchScimGroup', () => member('remove'), [['team.member.removed', 'team:group user']]],
  [
    'a group that goes',
    'deleteScimGroup',
    () => ({ method: 'DELETE', path: group() }),
    [['team.deleted', 'team:group', { members: 0 }]],
  ],
  [
    'a user who goes',
    'deleteScimUser',
    () => ({ method: 'DELETE', path: user() }),
    [['member.removed', 'user', { role: 'read' }]],
  ],
]
const cases = steps.map(([title, operation, request, expected, keep]) => ({
  title,
  operation,
  request,
  expected,
  keep,
}))

it.each(cases)(
  'SCIM records $title, without texts, with who did it',
  async ({ operation, request, expected, keep }) => {
    const reply = await send(request())
    expect(reply.status).toBeLessThan(300)
    if (keep) ids[keep] = reply.body.id
    const facts = await read()
    expect(facts.map(briefly)).toEqual(expectedChanges(expected, ids))
    expect(facts.map(fact => [fact.operationId, fact.actor?.id])).toEqual(facts.map(() => [operation, account]))
    expect(typesOf(identityScim, operation)).toEqual(expect.arrayContaining(facts.map(({ type }) => type)))
    expect(JSON.stringify(facts).toLowerCase()).not.toContain('needle')
  },
)
