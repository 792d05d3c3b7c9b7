import { api } from '@recto/contracts'
import { randomUUID } from 'node:crypto'
import { rights } from '@recto/contracts-shared'
import type { Role } from '@recto/actor'
import { routeOf, type Operation } from '@recto/operation'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, sendRaw, sendOk, type Person } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { anAdaptiveSchema } from './sites.ts'
import { aComment } from './walk.ts'

type Kind = keyof typeof rights
type Permissions = Record<string, boolean>

/** The caller: a member by role, a guest who was granted that role on the space and collection, or an owner of the team. */
const memberRoles = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const
const callers = [
  'outsider',
  'guest',
  ...memberRoles,
  ...memberRoles.map(role => `guest granted ${role}` as const),
  'reader who owns the team',
  'guest who owns the team',
] as const
type Caller = (typeof callers)[number]

/** Booleans without an operation: those of features that do not exist yet, and `ownTeam`. */
const withoutOperation = [
  'organization.ownTeam',
  'organization.ingestConversations',
  'organization.viewBilling',
  'organization.listIntegrations',
  'organization.listInstallations',
  'organization.installIntegration',
  'space.installIntegration',
  'site.edit',
  'site.installIntegration',
]
/** The role that each of these booleans requires; `nobody` for integrations, conversations and billing. */
const policy: Record<string, Role | 'nobody'> = {
  'organization.ingestConversations': 'nobody',
  'organization.viewBilling': 'nobody',
  'organization.listIntegrations': 'nobody',
  'organization.listInstallations': 'nobody',
  'organization.installIntegration': 'nobody',
  'space.installIntegration': 'nobody',
  'site.edit': 'edit',
  'site.installIntegration': 'nobody',
}

/** An object with its path parameters and how to read its `permissions`. */
interface Subject {
  kind: Kind
  params: Record<string, string>
  read: (reader: Reader) => Promise<Permissions | undefined>
}
interface Reader {
  at(path: string, pick?: (body: never) => { permissions: Permissions } | undefined): Promise<Permissions | undefined>
}

let stack: Installation
let params: Record<
  'organizationId' | 'teamId' | 'userId' | 'spaceId' | 'collectionId' | 'lockedId' | 'insideId' | 'siteId',
  string
>
/** The names in operations on the content of each space. */
const contents: Record<string, Record<'revisionId' | 'changeRequestId' | 'commentId', string>> = {}
const people: Partial<Record<Caller, Person>> = {}

const subjects = (): Record<string, Subject> => {
  const { organizationId, spaceId, lockedId, insideId, collectionId, siteId, teamId, userId } = params
  const ofSpace = (id: string): Subject => ({
    kind: 'space',
    params: { ...params, ...contents[id], spaceId: id },
    read: reader => reader.at(`/spaces/${id}`),
  })
  return {
    'the organization': { kind: 'organization', params, read: reader => reader.at(`/orgs/${organizationId}`) },
    'a team': { kind: 'team', params, read: reader => reader.at(`/orgs/${organizationId}/teams/${teamId}`) },
    'a member of a team': {
      kind: 'teamMember',
      params,
      read: reader =>
        reader.at(
          `/orgs/${organizationId}/teams/${teamId}/members`,
          ({ items }: { items: { organization: { id: string }; permissions: Permissions }[] }) =>
            items.find(item => item.organization.id === userId),
        ),
    },
    'a space': ofSpace(spaceId),
    'a locked space': ofSpace(lockedId),
    'a space in the collection': ofSpace(insideId),
    'a collection': { kind: 'collection', params, read: reader => reader.at(`/collections/${collectionId}`) },
    'a site': { kind: 'site', params, read: reader => reader.at(`/orgs/${organizationId}/sites/${siteId}`) },
  }
}
// prettier-ignore
const subjectNames = [
  'the organization', 'a team', 'a member of a team', 'a space', 'a locked space', 'a space in the collection', 'a collection',
  'a site',
] as const

/** Bodies that change nothing that another case depends on. */
const bodies: Record<string, (kind: Kind) => unknown> = {
  updateOrganizationById: () => ({}),
  createOrganizationTeam: () => ({ title: 'More' }),
  updateTeamInOrganizationById: () => ({ title: 'Writers' }),
  updateSpaceById: () => ({ title: 'Manual' }),
  updateCollectionById: () => ({ title: 'Guides', description: 'How to' }),
  importGitRepository: () => ({ url: 'http://127.0.0.1:1/none.git', ref: 'refs/heads/main' }),
  createOpenAPISpec: () => ({ slug: `toys-${randomUUID()}`, source: { text: '{}' } }),
  createSpace: kind => (kind === 'collection' ? { parent: params.collectionId } : {}),
  createChangeRequest: () => ({}),
  updateChangeRequestById: () => ({}),
  updateContentInChangeRequest: () => ({ changes: [{ operation: 'insert_page', title: 'More' }] }),
  postCommentInSpace: () => ({ body: { markdown: 'More' } }),
  postCommentReplyInSpace: () => ({ body: { markdown: 'More' } }),
  postCommentInChangeRequest: () => ({ body: { markdown: 'More' } }),
  submitChangeRequestReview: () => ({ status: 'approved' }),
  addSectionGroupToSite: () => ({ title: 'More' }),
  updateSiteById: () => ({ title: 'Manual' }),
  updateSiteAdaptiveSchema: () => ({ jsonSchema: anAdaptiveSchema }),
  createCollection: kind => (kind === 'collection' ? { parent: params.collectionId } : {}),
}
const rows: Record<string, Operation> = Object.assign({}, ...Object.values(api))

async function aRole(organization: { id: string; admin: Person }, role: Role | null, granted?: Role): Promise<Person> {
  const person = await aMember(stack, organization, role)
  if (granted === undefined) return person
  const { admin } = organization
  for (const spaceId of [params.spaceId, params.lockedId])
    await admin.client.spaces.inviteToSpace(spaceId, { role: granted as never, users: [person.id] })
  await admin.client.collections.inviteToCollection(params.collectionId, { role: granted as never, users: [person.id] })
  const path = `/orgs/${organization.id}/sites/${params.siteId}/permissions`
  await sendOk(stack, admin, { method: 'POST', path, body: { role: granted, users: [person.id] } })
  return person
}

async function aContent({ client }: Person, spaceId: string) {
  const { revision: revisionId } = (await client.spaces.getSpaceById(spaceId)).data
  const { id: changeRequestId } = (await client.spaces.createChangeRequest(spaceId, {})).data
  const { commentId } = await aComment({ client }, spaceId)
  return { revisionId, changeRequestId, commentId }
}

async function anOwner(organization: { id: string; admin: Person }, role: Role | null): Promise<Person> {
  const person = await aMember(stack, organization, role)
  await organization.admin.client.orgs.addMemberToOrganizationTeamById(organization.id, params.teamId, person.id, {
    role: 'owner' as never,
  })
  return person
}

beforeAll(async () => {
  stack = await sharedStack()
  const organization = await anOrganization(stack)
  const { id, admin } = organization
  const space = async (body: object) =>
    (await sendOk<{ id: string }>(stack, admin, { method: 'POST', path: `/orgs/${id}/spaces`, body })).id
  const { id: userId } = await aMember(stack, organization, 'read')
  const { id: collectionId } = (await admin.client.orgs.createCollection(id, { title: 'Guides' })).data
  const { id: teamId } = (await admin.client.orgs.createOrganizationTeam(id, { title: 'Writers', members: [userId] }))
    .data
  const spaces = {
    spaceId: await space({}),
    lockedId: await space({ editMode: 'locked' }),
    insideId: await space({ parent: collectionId }),
  }
  const { id: siteId } = (await admin.client.orgs.createSite(id, { title: 'Manual' })).data
  const path = `/orgs/${id}/sites/${siteId}/adaptive-schema`
  await sendOk(stack, admin, { method: 'PUT', path, body: { jsonSchema: anAdaptiveSchema } })
  params = { organizationId: id, teamId, userId, collectionId, siteId, ...spaces }
  for (const spaceId of Object.values(spaces)) contents[spaceId] = await aContent(admin, spaceId)
  people.outsider = (await anOrganization(stack)).admin
  people.guest = await aRole(organization, null)
  for (const role of memberRoles) {
    people[role] = role === 'admin' ? admin : await aRole(organization, role)
    people[`guest granted ${role}`] = await aRole(organization, null, role)
  }
  people['reader who owns the team'] = await anOwner(organization, 'read')
  people['guest who owns the team'] = await anOwner(organization, null)
})

const who = (caller: Caller): Person => people[caller] as Person

function readerFor(caller: Caller): Reader {
  return {
    async at(path, pick) {
      const { status, body } = await sendRaw(stack.url, who(caller), { method: 'GET', path })
      const resource =
        status === 200 ? ((pick ? pick(body as never) : body) as { permissions: Permissions } | undefined) : undefined
      return resource?.permissions
    },
  }
}

/** Whether the caller may use an operation; a conflict is one with the state of the object. Throws for other failures than 403 and 404. */
async function isAllowed(caller: Caller, id: string, subject: Subject): Promise<boolean> {
  const { method, path } = routeOf(rows[id] as Operation) as { method: string; path: string }
  const body = bodies[id]?.(subject.kind)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => subject.params[name] ?? 'nothing')
  const reply = await sendRaw(stack.url, who(caller), { method, path: filled, ...(body !== undefined && { body }) })
  if (reply.status === 409) return true
  if (reply.status >= 400 && ![403, 404].includes(reply.status))
    throw new Error(`${id}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.status < 400
}

/** The expected booleans of the object, from the replies of the operations that each one names. */
async function permissionsByOperations(caller: Caller, subject: Subject): Promise<Permissions> {
  const table: Record<string, { operations: readonly string[] }> = rights[subject.kind]
  const expected: Permissions = {}
  for (const [name, { operations }] of Object.entries(table)) {
    if (operations.length === 0) continue
    const allowed = new Map<string, boolean>()
    for (const id of operations) allowed.set(id, await isAllowed(caller, id, subject))
    expect({ ...Object.fromEntries(allowed), [name]: new Set(allowed.values()).size }).toMatchObject({ [name]: 1 })
    expected[name] = [...allowed.values()].every(Boolean)
  }
  return expected
}

/** The role that decides about booleans without an operation. */
function roleOf(caller: Caller, kind: Kind): Role | undefined {
  const [, granted] = /^guest granted (\w+)$/.exec(caller) ?? []
  if (granted !== undefined) return kind === 'space' || kind === 'site' ? (granted as Role) : undefined
  if (caller === 'reader who owns the team') return 'read'
  return memberRoles.find(role => role === caller)
}

function permissionsByPolicy(caller: Caller, kind: Kind): Permissions {
  const ranks = ['read', 'comment', 'edit', 'review', 'create', 'admin']
  const held = roleOf(caller, kind)
  const rules = Object.entries(policy).filter(([name]) => name.startsWith(`${kind}.`))
  const expected = rules.map(([name, needed]) => [
    name.slice(kind.length + 1),
    held !== undefined && needed !== 'nobody' && ranks.indexOf(held) >= ranks.indexOf(needed),
  ])
  return {
    ...Object.fromEntries(expected),
    ...(kind === 'organization' && { ownTeam: caller.endsWith('owns the team') }),
  }
}

describe('every boolean of `permissions` matches the operations that it names', () => {
  const cases = subjectNames.flatMap(subject => callers.map(caller => ({ subject, caller })))

  it.each(cases)('of $subject for $caller', async ({ subject: name, caller }) => {
    const subject = subjects()[name] as Subject
    const permissions = await subject.read(readerFor(caller))
    const answers = await permissionsByOperations(caller, subject)
    if (permissions) expect(permissions).toEqual({ ...answers, ...permissionsByPolicy(caller, subject.kind) })
    // A caller who cannot see the object may do nothing with it.
    else expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map(right => [right, false])))
  })
})

describe('permissions in lists and embedded objects', () => {
  const places = (caller: Caller): Record<string, string> => ({
    '/orgs': 'organization',
    [`/orgs/${params.organizationId}/spaces`]: 'space',
    [`/orgs/${params.organizationId}/collections`]: 'collection',
    [`/orgs/${params.organizationId}/sites`]: 'site',
    [`/orgs/${params.organizationId}/teams`]: 'team',
    [`/orgs/${params.organizationId}/members/${who(caller).id}/spaces`]: 'space',
    [`/orgs/${params.organizationId}/members/${who(caller).id}/teams`]: 'team',
    [`/collections/${params.collectionId}/spaces`]: 'space',
  })
  interface Shown {
    object: string
    id: string
    permissions: Permissions
  }

  it.each(callers)('equal those of the object itself for %s', async caller => {
    for (const [path, kind] of Object.entries(places(caller))) {
      const { status, body } = await sendRaw(stack.url, who(caller), { method: 'GET', path: `${path}?limit=1000` })
      const items = status === 200 ? (body as { items: (Shown & Record<string, Shown>)[] }).items : []
      const ids = new Set(Object.values(params))
      for (const one of items.map(item => item[kind] ?? item).filter(({ id }) => ids.has(id))) {
        const alone = {
          organization: `/orgs/${one.id}`,
          space: `/spaces/${one.id}`,
          collection: `/collections/${one.id}`,
          team: `/orgs/${params.organizationId}/teams/${one.id}`,
          site: `/orgs/${params.organizationId}/sites/${one.id}`,
        }[kind]
        expect([path, one.permissions]).toEqual([path, await readerFor(caller).at(alone ?? '')])
      }
    }
  })
})

it('a deleted space can only be viewed and restored', async () => {
  for (const caller of ['admin', 'create', 'review'] as const) {
    const { id } = await sendOk<{ id: string }>(stack, who('admin'), {
      method: 'POST',
      path: `/orgs/${params.organizationId}/spaces`,
      body: {},
    })
    await sendOk(stack, who('admin'), { method: 'DELETE', path: `/spaces/${id}` })
    const space = await readerFor(caller).at(`/spaces/${id}`)
    const { status } = await sendRaw(stack.url, who(caller), { method: 'POST', path: `/spaces/${id}/restore` })
    expect([caller, space && Object.keys(space).filter(name => space[name]), status]).toEqual([
      caller,
      caller === 'review' ? undefined : ['view', 'access', 'admin', ...(caller === 'admin' ? ['viewInviteLinks'] : [])],
      caller === 'review' ? 404 : 200,
    ])
  }
})

it('names existing operations, except for booleans without one', () => {
  const all = Object.entries(rights).flatMap(([kind, table]) =>
    Object.entries(table as Record<string, { operations: readonly string[] }>).map(([name, { operations }]) => ({
      name: `${kind}.${name}`,
      operations,
    })),
  )
  expect(
    all
      .filter(({ operations }) => operations.length === 0)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(withoutOperation.toSorted())
  expect([...Object.keys(policy), 'organization.ownTeam'].toSorted()).toEqual(withoutOperation.toSorted())
  expect(all.flatMap(({ operations }) => operations).filter(id => !routeOf(rows[id] ?? ({} as Operation)))).toEqual([])
})
