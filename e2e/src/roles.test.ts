import { aGitServer, aRepository, eventually, type GitServer, type TestRepository } from '@recto/testing'
import { scopeNames, type Endpoint } from '@recto/contracts-shared'
import { groupOf, statusOf } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { ApiExamples } from './api-examples.ts'
import { aPairOfSites, callers, createCallers, mayUse, statusFor, type Caller } from './callers.ts'
import { fill, kindsIn, plainKind, rows, templatesOf } from './endpoint-requests.ts'
import { referringManual as manual } from './fixtures/manual.ts'
import { anOrganization, sendOk, sendRaw, withoutRequestId, type Person, type RawRequest } from './people.ts'
import { makers, type World } from './resources.ts'
import { sharedStack } from './shared-stack.ts'
import { aTenant, type Kind } from './tenant.ts'

const examples = new ApiExamples()
let git: GitServer
let repository: TestRepository
let world: World
let people: Partial<Record<Caller, Person>>
let sites: { own: string; other: string }

beforeAll(async () => {
  repository = await aRepository({ files: manual })
  git = await aGitServer({ repositories: { manual: repository.path } })
  const stack = await sharedStack()
  const tenant = await aTenant(stack, git.url('manual'))
  world = { stack, tenant, repository: git.url('manual') }
  const { admin, ids } = tenant
  const organizationId = ids.organizationId[0] ?? ''
  const spaceId = ids.spaceId[0] ?? ''
  const siteId = ids.siteId[0] ?? ''
  const members = await createCallers(stack, { id: organizationId, admin })
  people = members
  // A team without grants, so that its owner is a reader.
  const teamId = (await admin.client.orgs.createOrganizationTeam(organizationId, { title: 'Owned' })).data.id
  ids.teamId.unshift(teamId)
  await admin.client.orgs.addMemberToOrganizationTeamById(organizationId, teamId, members.owner.id, {
    role: 'owner' as never,
  })
  const { other } = await aPairOfSites(admin, organizationId, spaceId)
  const own = (await admin.client.orgs.getSiteById(organizationId, siteId)).data.urls.published ?? ''
  sites = { own, other }
  // Visitors read the current revision; earlier ones only if their token is old enough.
  ids.revisionId.unshift((await admin.client.spaces.getSpaceById(spaceId)).data.revision)
})

afterAll(async () => {
  await examples.write({ installation: world.stack.url, repository: world.repository })
  await git.stop()
  await repository.remove()
})

/** The first example of a row. What is deleted is a resource of its own. */
function exampleOf(row: Endpoint): RawRequest {
  const { request } = templatesOf(row)[0] as { request: RawRequest }
  if (request.method !== 'DELETE') return request
  const path = request.path.replace(/\{(\w+)\}$/, (_whole, kind: string) => `{${ownKind(kind)}}`)
  return { ...request, path }
}

const ownKind = (kind: string) => `own${kind.charAt(0).toUpperCase()}${kind.slice(1)}`

/** Resources that were made for a request and that no request has used up: who is refused leaves them as they are. */
const unused = new Map<string, string>()

/** The request of a row with ids of resources; without `isMade` those that exist stand in for what would be made for it. */
async function requestOf(row: Endpoint, isMade = true): Promise<RawRequest> {
  const request = exampleOf(row)
  const made = isMade ? kindsIn(request).filter(kind => makers[kind]) : []
  for (const kind of made) unused.set(kind, unused.get(kind) ?? (await makers[kind]?.(world)) ?? '')
  const id = (kind: string) => {
    if (made.includes(kind)) return unused.get(kind) ?? ''
    return kind.startsWith('own') ? 'nothing' : existing(kind)
  }
  return fill(request, { installation: world.stack.url, repository: world.repository }, id)
}

/** Says that a request of the row was served, which uses up what was made for it. */
function useUp(row: Endpoint): void {
  for (const kind of kindsIn(exampleOf(row))) unused.delete(kind)
}

const existing = (kind: string) => world.tenant.ids[plainKind(kind) as Kind]?.[0] ?? 'nothing'

/** Reads come first, and deletes late; what outsiders may do comes last, since it may make them members. */
function rank({ route, access }: Endpoint): number {
  if (route.startsWith('GET ')) return 0
  if (access.may === 'user') return 3
  return route.startsWith('DELETE ') ? 2 : 1
}

const endpoints = Object.entries(rows)
  .map(([id, row]) => {
    const answers = templatesOf(row)[0]?.example.answers
    return { id, row, success: answers ?? statusOf(row) }
  })
  .toSorted((a, b) => rank(a.row) - rank(b.row))
const statusOfCaller = (caller: Caller, { row, success }: (typeof endpoints)[number]) =>
  statusFor(caller, row.access, { route: row.route, success })

describe('a visitor', () => {
  const visitors: Partial<Record<keyof typeof sites, { token: string }>> = {}
  beforeAll(async () => {
    for (const site of ['own', 'other'] as const) {
      const lookup = { method: 'POST', path: '/urls/published', body: { url: sites[site] } }
      const reply = await sendRaw(world.stack.url, undefined, lookup)
      examples.add('resolvePublishedContentByUrl', lookup, reply.body)
      visitors[site] = { token: (reply.body as { apiToken: string }).apiToken }
    }
  })

  const cases = endpoints.map(endpoint => {
    const { row, success } = endpoint
    const { visitors, callers: kinds } = row.access as Endpoint['access']
    if (row.access.public)
      return { ...endpoint, own: statusOfCaller('none', endpoint), other: statusOfCaller('none', endpoint) }
    if (!kinds?.includes('visitor')) return { ...endpoint, own: 403, other: 403 }
    // No address names the resources of this test, and no page is made from them.
    const isUnread = visitors === 'named' || visitors === 'onPage'
    return { ...endpoint, own: isUnread ? 404 : success, other: visitors === 'public' ? success : 404 }
  })

  it.each(cases)(
    'of the site gets $own from $id, and a visitor of another one gets $other',
    async ({ row, own, other }) => {
      const statusOfVisitor = async (site: keyof typeof sites) =>
        (await sendRaw(world.stack.url, visitors[site], await requestOf(row, false))).status
      const statuses = { own: await statusOfVisitor('own'), other: await statusOfVisitor('other') }
      expect(statuses).toEqual({ own, other })
    },
  )
})

describe('every operation', () => {
  const cases = endpoints.flatMap(endpoint =>
    callers.map(caller => ({ ...endpoint, caller, status: statusOfCaller(caller, endpoint) })),
  )

  it.each(cases)('$id answers the caller $caller with $status', async ({ id, row, caller, status }) => {
    const request = await requestOf(row)
    const reply = await sendRaw(world.stack.url, people[caller], request)
    if (mayUse(caller, row.access)) useUp(row)
    if (reply.status === statusOf(row)) examples.add(id, request, reply.body)
    const refused = row.response?.failurePage
      ? expect.stringContaining('<h1>')
      : { error: expect.objectContaining({ code: status, message: expect.any(String) }) }
    expect({ status: reply.status, body: status < 400 ? undefined : reply.body }).toEqual({
      status,
      body: status < 400 ? undefined : refused,
    })
    if (status === 401) expect(reply.headers.get('www-authenticate')).toContain('Bearer')
  })
})

describe('the audit log', () => {
  /** Operations whose change is not in this log, or that have changed nothing here; the tests of the records of each service call them. */
  const elsewhere: Record<string, string> = {
    createOrganization: 'it is in the log of the new organization',
    createUser: 'a user is in no organization yet',
    createTokenForUser: 'the user is in no organization',
    joinOrganization: 'the caller has joined before',
    receiveSamlResponse: 'the assertion is not signed',
    updateSiteSpaceById: 'it has the space already',
  }
  const isNothing = (id: string) =>
    /^(update(User|Team)Permission|remove(User|Team)From(Space|Collection|Site)|deleteMemberFromOrganizationTeam|removeRequestedReviewer|removeSectionFromGroup)/.test(
      id,
    )
  const isAbsent = ({ route }: Endpoint) => {
    const [, kind = ''] = /^DELETE .*\{(\w+)\}$/.exec(route) ?? []
    return kind !== '' && !makers[ownKind(kind)]
  }
  const changing = endpoints.filter(
    ({ id, row, success }) =>
      Array.isArray(row.records) && success < 400 && !(id in elsewhere) && !isNothing(id) && !isAbsent(row),
  )

  it('has every operation that changes something, with its request', async () => {
    const { admin, ids } = world.tenant
    await eventually(async () => {
      const operations = new Set<string>()
      for (let cursor = '0'; ;) {
        const path = `/orgs/${ids.organizationId[0]}/audit-events-export?after=${cursor}`
        const { body } = await sendRaw(world.stack.url, admin, { method: 'GET', path })
        const lines = String(body).split('\n').filter(Boolean)
        for (const line of lines) operations.add((JSON.parse(line) as { executionId?: string }).executionId ?? '')
        const last = lines.at(-1)
        if (last === undefined) break
        cursor = (JSON.parse(last) as { cursor: string }).cursor
      }
      expect(changing.filter(({ id }) => !operations.has(id)).map(({ id }) => id)).toEqual([])
    })
  })
})

describe('an operation of the platform', () => {
  const ofPlatform = endpoints.filter(({ row }) => row.access.may === 'platform')

  it.each(ofPlatform)('$id serves the administrator of the platform', async ({ id, row }) => {
    const { stack } = world
    const request = await requestOf(row)
    const reply = await sendRaw(stack.url, stack, request)
    expect({ status: reply.status, isSuccess: reply.status < 300 }).toMatchObject({ isSuccess: true })
    examples.add(id, request, reply.body)
  })
})

describe('to an outsider', () => {
  const hidden = endpoints.filter(endpoint => statusOfCaller('outsider', endpoint) === 404)

  let outsider: Person
  beforeAll(async () => {
    outsider = (await anOrganization(world.stack)).admin
  })

  it.each(hidden)('$id answers the same for a hidden and a missing resource', async ({ row }) => {
    const { stack } = world
    const hiddenReply = await sendRaw(stack.url, outsider, await requestOf(row))
    const missing = await sendRaw(stack.url, outsider, missingOf(await requestOf(row, false), row))
    expect({ status: missing.status, body: withoutRequestId(missing) }).toEqual({
      status: 404,
      body: withoutRequestId(hiddenReply),
    })
  })

  /** The same request about resources that are not there. */
  const missingOf = (request: RawRequest, { route }: Endpoint): RawRequest => {
    const [, query = ''] = request.path.split('?')
    const path = route.slice(route.indexOf(' ') + 1).replaceAll(/\{\w+\}/g, 'nothing')
    return { ...request, path: query ? `${path}?${query}` : path }
  }
})

describe('faulty input', () => {
  const withBody = endpoints.filter(({ row }) => row.body && !row.request?.form)
  const withLimit = endpoints.flatMap(({ id, row }) =>
    row.query instanceof z.ZodObject && 'limit' in row.query.shape
      ? [{ id, row, fields: Object.keys(row.query.shape) }]
      : [],
  )

  it.each(withBody)('$id names the faulty fields of its body', async ({ row }) => {
    const shape = row.body instanceof z.ZodObject ? row.body.shape : undefined
    const fields = Object.keys(shape ?? { role: true, level: true })
    const body = Object.fromEntries(fields.map(field => [field, [{ wrong: true }]]))
    const { method, path } = await requestOf(row, false)
    const reply = await sendRaw(world.stack.url, people.admin, { method, path: path.split('?')[0] ?? '', body })
    expect(reply).toMatchObject({
      status: 400,
      body: { error: { code: 400, message: expect.any(String), details: expect.any(Array) } },
    })
    const { error } = reply.body as { error: { details: { path: string; message: string }[] } }
    const faultyFields = [...new Set(error.details.map(detail => detail.path.split('.').slice(0, 2).join('.')))]
    // Of a body of one form or another, the form that is nearest says what is wrong, or the body as a whole is.
    const allowed = fields.map(field => `body.${field}`)
    expect(allowed.concat(shape ? [] : 'body')).toEqual(expect.arrayContaining(faultyFields))
    if (shape) expect(faultyFields.toSorted()).toEqual(allowed.toSorted())
  })

  it.each(withLimit)('$id names the faulty field of its query', async ({ row, fields }) => {
    for (const query of ['limit=1001', 'limit=-1', ...(fields.includes('page') ? ['page=forged'] : [])]) {
      const request = await requestOf(row, false)
      const path = `${request.path}${request.path.includes('?') ? '&' : '?'}${query}`
      expect(await sendRaw(world.stack.url, people.admin, { ...request, path })).toMatchObject({
        status: 400,
        body: { error: { code: 400, details: [{ path: `query.${query.split('=')[0]}` }] } },
      })
    }
  })
})

describe('a token', () => {
  const withToken = endpoints.filter(endpoint => !endpoint.row.access.public)
  const tokenWith = (scopes: readonly string[]) =>
    sendOk<{ token: string }>(world.stack, people.admin as Person, {
      method: 'POST',
      path: '/user/tokens',
      body: { name: 'limited', scopes },
    })
  /** Whether an operation on resources that are not there is refused for the scopes of a token, or for something else. */
  const outcomeOf = async (row: Endpoint, token: { token: string }) => {
    const [method = '', path = ''] = row.route.replaceAll(/\{\w+\}/g, 'nothing').split(' ')
    const { body } = await sendRaw(world.stack.url, token, {
      method,
      path,
      ...(row.body && { body: {} }),
    } as RawRequest)
    return JSON.stringify(body ?? '').includes('The token lacks the scope') ? 'refused' : 'admitted'
  }

  it('with the group read can use what reads, and nothing else', async () => {
    const reader = await tokenWith(['read'])
    for (const { id, row } of withToken)
      expect([id, await outcomeOf(row, reader)]).toEqual([id, groupOf(row) === 'read' ? 'admitted' : 'refused'])
  })

  it.each(scopeNames)('with the scope %s alone can use its operations, and one with all others cannot', async scope => {
    const alone = await tokenWith([scope])
    const others = await tokenWith(scopeNames.filter(name => name !== scope))
    for (const { id, row } of withToken.filter(endpoint => endpoint.row.scope === scope)) {
      expect([id, await outcomeOf(row, alone)]).toEqual([id, 'admitted'])
      expect([id, await outcomeOf(row, others)]).toEqual([id, 'refused'])
    }
    const [foreign] = withToken.filter(endpoint => endpoint.row.scope !== scope)
    expect(foreign && (await outcomeOf(foreign.row, alone))).toBe('refused')
  })
})
