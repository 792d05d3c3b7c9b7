import { aGitServer, aRepository, type GitServer, type TestRepository } from '@recto/testing'
import { isAboutResource, type Endpoint } from '@recto/contracts-shared'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { manual } from './fixtures/manual.ts'
import { fill, kindsIn, plainKind, rows, templatesOf } from './endpoint-requests.ts'
import { sendOk, sendRaw, withoutRequestId, type RawRequest } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { readTenant } from './tenant-readings.ts'
import { aTenant, moreResources, type Kind, type Tenant } from './tenant.ts'

interface LimitedTo {
  spaces?: string[]
  collections?: string[]
  sites?: string[]
}

let stack: Installation
let git: GitServer
let repository: TestRepository
/** Two sets of resources in one organization: tokens are limited to those of the first. */
let ours: Tenant
let others: Tenant
let before: string[]
/** A setting of the organization, which none of its resources shows. */
const setting = 'members-alone.test'
/** Limited to all of ours: to its collections by the outer one, and to what is at the top. */
let limited: { token: string }
/** Limited to one space alone, which lies in collections and is on sites. */
let ofOneSpace: { token: string }

beforeAll(async () => {
  repository = await aRepository({ files: manual })
  git = await aGitServer({ repositories: { manual: repository.path } })
  stack = await sharedStack()
  ours = await aTenant(stack, git.url('manual'))
  const sites = await listedIds(`/orgs/${ours.ids.organizationId[0]}/sites?limit=1000`, ours.admin)
  await sendOk(stack, ours.admin, {
    method: 'PATCH',
    path: `/orgs/${ours.ids.organizationId[0]}`,
    body: { emailDomains: [setting] },
  })
  others = await moreResources(stack, ours, git.url('manual'))
  const [inInner = '', atTop = ''] = ours.ids.spaceId
  limited = await aLimitedToken({ spaces: [atTop], collections: [ours.ids.collectionId[1] ?? ''], sites })
  ofOneSpace = await aLimitedToken({ spaces: [inInner] })
  before = await readTenant(stack, others)
})

afterAll(async () => {
  await git.stop()
  await repository.remove()
})

const aLimitedToken = (limitedTo: LimitedTo) =>
  sendOk<{ token: string }>(stack, ours.admin, {
    method: 'POST',
    path: '/user/tokens',
    body: { name: 'limited', limitedTo },
  })

async function listedIds(path: string, who: { token: string }): Promise<string[]> {
  const { items } = await sendOk<{ items: { id: string }[] }>(stack, who, { method: 'GET', path })
  return items.map(({ id }) => id)
}

/** Kinds of resources that tokens are limited to, and of what is in these. */
const ofResources = [
  'siteId',
  'spaceId',
  'collectionId',
  'pageId',
  'fileId',
  'revisionId',
  'operationId',
  'previewId',
  'importId',
  'importRunId',
  'translationId',
  'runId',
  'reusableContentId',
  'changeRequestId',
  'reviewId',
  'commentId',
  'commentReplyId',
  'changeRequestCommentId',
  'changeRequestReplyId',
  'siteSectionId',
  'siteSectionGroupId',
  'siteExternalLinkId',
  'siteSpaceId',
  'shareLinkId',
  'siteRedirectId',
  'siteMcpServerId',
  'hostname',
  'subdomain',
] as const satisfies readonly Kind[]
const isOfResource = (kind: string): kind is (typeof ofResources)[number] => ofResources.some(each => each === kind)

/** A request with our ids, except those that `id` has for a kind at a place. */
const filled = (request: RawRequest, id: (kind: Kind, at: number) => string | undefined = () => undefined) =>
  fill(request, { installation: stack.url, repository: git.url('manual') }, (placeholder, at) => {
    const kind = plainKind(placeholder) as Kind
    return id(kind, at) ?? ours.ids[kind]?.[0] ?? 'unknown'
  })

async function replyTo(request: RawRequest, who: { token: string }): Promise<{ status: number; body: unknown }> {
  const reply = await sendRaw(stack.url, who, request)
  return { status: reply.status, body: withoutRequestId(reply) }
}

const requests = Object.entries(rows)
  .filter(([, row]) => !row.access.public)
  .flatMap(([id, row]) =>
    templatesOf(row).map(({ request, example }) => ({ id, row: row as Endpoint, request, example })),
  )
const isForLimited = ({ row }: { row: Endpoint }) => row.access.limited !== undefined
const limitedMessage = expect.objectContaining({ message: expect.stringContaining('The token is limited to') })
const refused = { status: 403, body: { error: limitedMessage } }

describe('a token that is limited to resources', () => {
  it.each(requests.filter(each => !isForLimited(each)))('is refused by $id', async ({ request }) => {
    expect(await replyTo(filled(request), limited)).toMatchObject(refused)
  })

  const reads = requests.filter(each => isForLimited(each) && each.request.method === 'GET' && each.row.status !== 302)
  const isPreview = ({ id }: { id: string }) => id === 'getSitePublishingPreviewById'

  it.each(reads.filter(each => !isPreview(each)))('reads its own by $id', async ({ request, example }) => {
    expect((await replyTo(filled(request), limited)).status).toBe(example.answers ?? 200)
  })

  it.each(reads.filter(isPreview))('makes no previews by $id', async ({ request }) => {
    expect(await replyTo(filled(request), limited)).toMatchObject(refused)
  })

  it('sees what it is limited to in lists, and nothing else', async () => {
    const organization = `/orgs/${ours.ids.organizationId[0]}`
    const [inInner, atTop, inOuter] = ours.ids.spaceId
    const sorted = async (path: string, who: { token: string }) => (await listedIds(path, who)).toSorted()
    const spaces = await listedIds(`${organization}/spaces`, limited)
    // The target of the translation lies in the collections, too.
    expect(spaces).toEqual(expect.arrayContaining([inInner, atTop, inOuter]))
    expect(spaces.filter(id => others.ids.spaceId.includes(id))).toEqual([])
    expect(await sorted(`${organization}/collections?nested=true`, limited)).toEqual(ours.ids.collectionId.toSorted())
    expect(await listedIds(`${organization}/collections?nested=false`, limited)).toEqual([ours.ids.collectionId[1]])
    expect(await sorted(`${organization}/sites`, limited)).toContain(ours.ids.siteId[0])
    expect(await listedIds(`${organization}/spaces`, ofOneSpace)).toEqual([inInner])
    expect(await listedIds(`${organization}/collections?nested=true`, ofOneSpace)).toEqual([])
    expect(await listedIds(`${organization}/sites`, ofOneSpace)).toEqual([])
  })

  /** Ids of resources that the second of these has, and the first has not. */
  const idsBeyond = (own: readonly string[], all: Tenant['ids'][]) => {
    const ids = all.flatMap(each => ofResources.flatMap(kind => each[kind]))
    // Paths and what is the same in every import are not ids of resources.
    return ids.filter(id => id.length >= 20 && !own.includes(id))
  }
  const leaks = async (request: RawRequest, who: { token: string }, ids: readonly string[]) => {
    const text = JSON.stringify(await replyTo(request, who))
    return ids.filter(id => text.includes(id) && !JSON.stringify(request).includes(id))
  }

  it.each(reads)('reads no id of other resources by $id', async ({ request }) => {
    const own = ofResources.flatMap(kind => ours.ids[kind])
    expect(await leaks(filled(request), limited, [setting, ...idsBeyond(own, [others.ids])])).toEqual([])
    // A space says which site publishes it to everybody who reads it.
    const around = [...ours.ids.collectionId, ...ours.ids.spaceId.slice(1)]
    expect(await leaks(filled(request), ofOneSpace, around)).toEqual([])
  })

  const asking = requests.filter(({ id }) => ['searchOrganizationContent', 'askInOrganization'].includes(id))

  it.each(asking)('finds nothing of other resources by $id', async ({ request }) => {
    const own = ofResources.flatMap(kind => ours.ids[kind])
    expect(await leaks(filled(request), limited, idsBeyond(own, [others.ids]))).toEqual([])
  })
})

describe('specifications belong to the organization', () => {
  const naming = requests.filter(each => isForLimited(each) && kindsIn(each.request).includes('specSlug'))

  it.each(naming)('a token that is limited names none by $id: %#', async ({ request, example }) => {
    const withSpec = (slug?: string) => filled(request, kind => (kind === 'specSlug' ? slug : undefined))
    const existing = ours.ids.specSlug[1] ?? ''
    const reply = await replyTo(withSpec(existing), limited)
    const absent = await replyTo(withSpec('nothing'), limited)
    expect(JSON.stringify(reply).replaceAll(existing, 'nothing')).toBe(JSON.stringify(absent))
    expect(example.answers ?? reply.status).toBe(404)
  })

  it('more than one operation names one', () => expect(naming.length).toBeGreaterThan(1))
})

/** A batch of changes: a target that it names must still be there, which is a conflict with the content, not a missing resource. */
const isBatch = ({ body }: RawRequest) =>
  typeof body === 'object' && body !== null && ('changes' in body || 'resolutions' in body)

describe('to a token that is limited, another resource is as one that is not there', () => {
  const attempts = requests.filter(isForLimited).flatMap(({ request, ...rest }) =>
    kindsIn(request)
      .map((kind, at) => ({ ...rest, request, at, kind: plainKind(kind), input: JSON.stringify(request.body ?? {}) }))
      .filter(({ kind }) => isOfResource(kind)),
  )

  it.each(attempts)('$kind at $at of $id with $input', async ({ request, example, kind, at }) => {
    const foreign = others.ids[kind as Kind][0] as string
    const reply = await replyTo(
      filled(request, (_kind, place) => (place === at ? foreign : undefined)),
      limited,
    )
    const absent = await replyTo(
      filled(request, (_kind, place) => (place === at ? 'nothing' : undefined)),
      limited,
    )
    expect(JSON.stringify(reply).replaceAll(foreign, 'nothing')).toEqual(JSON.stringify(absent))
    const isIgnored = example.ignores?.includes(kind) === true || request.method === 'DELETE' || isBatch(request)
    if (!isIgnored) expect(reply.status).toBeGreaterThanOrEqual(400)
  })

  const whole = requests.filter(
    each => isForLimited(each) && kindsIn(each.request).some(kind => isOfResource(plainKind(kind))),
  )

  it.each(whole)('all that $id names', async ({ id, row, request }) => {
    const idOf = (place: 'others' | 'nowhere') => (kind: Kind) => {
      if (!isOfResource(kind)) return undefined
      return place === 'others' ? others.ids[kind][0] : 'nothing'
    }
    const reply = await replyTo(filled(request, idOf('others')), limited)
    const absent = await replyTo(filled(request, idOf('nowhere')), limited)
    const text = ofResources.reduce((body, kind) => {
      const [other = 'nothing'] = others.ids[kind]
      return body.replaceAll(other, 'nothing')
    }, JSON.stringify(reply))
    expect([id, text]).toEqual([id, JSON.stringify(absent)])
    if (isAboutResource(row)) expect([204, 403, 404]).toContain(reply.status)
  })

  it('changes nothing in them', async () => {
    expect(await readTenant(stack, others)).toEqual(before)
    expect(before.filter(reply => reply.includes('"status":200')).length).toBeGreaterThan(80)
  })
})

describe('at the top of the organization, a token that is limited', () => {
  const write = (path: string, body: object, who = limited) => replyTo({ method: 'POST', path, body }, who)
  const top = () => ours.ids.spaceId[1] ?? ''

  it('creates, moves and duplicates nothing, and transfers nothing', async () => {
    const organization = ours.ids.organizationId[0] ?? ''
    const [inInner] = ours.ids.spaceId
    const target = await sendOk<{ id: string }>(stack, ours.admin, {
      method: 'POST',
      path: '/orgs',
      body: { title: 'To' },
    })
    for (const [path, body] of [
      [`/orgs/${organization}/spaces`, { title: 'New' }],
      [`/orgs/${organization}/collections`, { title: 'New' }],
      [`/spaces/${inInner}/move`, { parent: null }],
      [`/spaces/${top()}/duplicate`, {}],
      [`/spaces/${top()}/transfer`, { organization: target.id }],
    ] as const)
      expect([path, (await write(path, body)).status]).toEqual([path, 403])
  })

  it('creates in the collections that it is limited to, and uses what it creates', async () => {
    const parent = ours.ids.collectionId[0] ?? ''
    const made = await write(`/orgs/${ours.ids.organizationId[0]}/spaces`, { title: 'Inside', parent })
    expect(made.status).toBe(201)
    const { id } = made.body as { id: string }
    expect((await replyTo({ method: 'GET', path: `/spaces/${id}` }, limited)).status).toBe(200)
    expect((await replyTo({ method: 'GET', path: `/spaces/${id}` }, ofOneSpace)).status).toBe(404)
    expect((await replyTo({ method: 'DELETE', path: `/spaces/${id}` }, limited)).status).toBe(204)
  })

  it('gets no reply that another token of its owner got by an Idempotency-Key', async () => {
    const path = `/spaces/${others.ids.spaceId[0]}/change-requests`
    const send = (token: string) =>
      fetch(`${stack.url}/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'once' },
        body: JSON.stringify({ subject: 'Once' }),
      })
    expect((await send(ours.admin.token)).status).toBe(201)
    expect((await send(ours.admin.token)).status).toBe(201)
    expect((await send(limited.token)).status).toBe(404)
  })
})

describe('limits of a token', () => {
  const issue = (limitedTo: object) =>
    replyTo({ method: 'POST', path: '/user/tokens', body: { name: 'limited', limitedTo } }, ours.admin)

  it('are shown where it is issued and listed, and are in the audit log', async () => {
    const spaces = [ours.ids.spaceId[0]]
    const { status, body } = await issue({ spaces })
    const limitedTo = { spaces, collections: [], sites: [] }
    expect({ status, body }).toMatchObject({ status: 201, body: { limitedTo } })
    const { id } = body as { id: string }
    const list = await replyTo({ method: 'GET', path: '/user/tokens?limit=1000' }, ours.admin)
    expect(list.body).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ id, limitedTo })]) })
  })

  it('are resources that whoever issues it sees', async () => {
    for (const [kind, id] of [
      ['spaces', 'nothing'],
      ['collections', ours.ids.spaceId[0]],
      ['sites', ours.ids.spaceId[0]],
    ] as const)
      expect(await issue({ [kind]: [id] })).toMatchObject({
        status: 404,
        body: { error: { details: [{ path: `body.limitedTo.${kind}.0` }] } },
      })
    expect(await issue({})).toMatchObject({ status: 400, body: { error: { details: [{ path: 'body.limitedTo' }] } } })
  })
})
