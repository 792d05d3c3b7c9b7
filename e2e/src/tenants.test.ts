import { aGitServer, aRepository, type GitServer, type TestRepository } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { manual } from './fixtures/manual.ts'
import type { Endpoint } from '@recto/contracts-shared'
import { sendRaw, withoutRequestId, type Person, type RawRequest } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { fill, kindsIn, plainKind, rows, templatesOf } from './endpoint-requests.ts'
import { unknownFields } from './input-fields.ts'
import { readTenant } from './tenant-readings.ts'
import { aTenant, kinds, type Kind, type Tenant } from './tenant.ts'

let stack: Installation
let git: GitServer
let repository: TestRepository
let ours: Tenant
let theirs: Tenant
let before: { ours: string[]; theirs: string[] }

beforeAll(async () => {
  repository = await aRepository({ files: manual })
  git = await aGitServer({ repositories: { manual: repository.path } })
  stack = await sharedStack()
  ours = await aTenant(stack, git.url('manual'))
  theirs = await aTenant(stack, git.url('manual'))
  before = { ours: await readTenant(stack, ours), theirs: await readTenant(stack, theirs) }
})

afterAll(async () => {
  await git.stop()
  await repository.remove()
})

/** A request with our ids, except the foreign one at `place`. */
const filled = (request: RawRequest, place: number, id: (kind: Kind) => string | undefined): RawRequest =>
  fill(
    request,
    { installation: stack.url, repository: git.url('manual') },
    (kind, at) => (at === place ? id(plainKind(kind) as Kind) : ours.ids[plainKind(kind) as Kind]?.[0]) ?? 'unknown',
  )

async function replyTo(request: RawRequest, who: Person = ours.admin): Promise<{ status: number; body: unknown }> {
  const reply = await sendRaw(stack.url, who, request)
  return { status: reply.status, body: withoutRequestId(reply) }
}

const requests = Object.entries(rows).flatMap(([id, row]) =>
  templatesOf(row).map(({ request, example }) => ({ id, row, request, example })),
)
const attempts = requests.flatMap(({ request, ...rest }) =>
  kindsIn(request).map((kind, at) => ({
    ...rest,
    request,
    at,
    kind: plainKind(kind) as Kind,
    given: JSON.stringify(request.body ?? {}),
  })),
)

describe('the operations of the contract', () => {
  it('have no undeclared id fields', () => {
    const unknown = attempts.filter(({ kind }) => !kinds.includes(kind)).map(({ id, kind }) => `${id}: ${kind}`)
    const fields = Object.entries(rows).flatMap(([id, row]) => unknownFields(row).map(fault => `${id}: ${fault}`))
    expect([...unknown, ...fields]).toEqual([])
  })

  it('are tested with two organizations that have a resource of every kind', () => {
    for (const { ids } of [ours, theirs]) expect(kinds.filter(kind => !ids[kind][0])).toEqual([])
  })

  // Signing in leads elsewhere.
  const reads = requests.filter(({ row, request }) => request.method === 'GET' && row.status !== 302)

  it.each(reads)('$id succeeds for the admin of the resource, or as its example says', async ({ request, example }) => {
    expect((await replyTo(filled(request, -1, () => undefined))).status).toBe(example.answers ?? 200)
  })
})

/** A batch of changes: a target that it names must still be there, which is a conflict with the content, not a missing resource. */
const isBatch = ({ body }: RawRequest) =>
  typeof body === 'object' && body !== null && ('changes' in body || 'resolutions' in body)
const inPath = new Set<Kind>(['spaceId', 'changeRequestId'])

/** Ids that are invalid input for any organization: anchors that are no siblings, and content that does not exist yet. */
const wrongAlike = ['body.position', 'body.defaultContent', 'body.defaultSiteSpace', 'body.defaultSiteSection']

function isWrongInput({ status, body }: { status: number; body: unknown }): boolean {
  const details = (body as { error?: { details?: { path: string }[] } }).error?.details ?? []
  return (
    status === 400 &&
    details.length > 0 &&
    details.every(({ path }) => wrongAlike.some(field => path.startsWith(field)))
  )
}

/** Paths and hashes say what content is, not whose: both organizations import the same. */
const ofAnyone: Kind[] = ['pagePath', 'documentId']

/**
 * A name of our own: a resource of that name is created in our organization, or pages that are computed from a specification wait until it
 * is added there, whatever others call theirs.
 */
const isNameOfOurs = ({ row, request, kind }: { row: Endpoint; request: RawRequest; kind: Kind }) =>
  (row.creates === 'ifAbsent' && row.route.endsWith(`{${kind}}`)) ||
  (kind === 'specSlug' && row.creates !== undefined && JSON.stringify(request.body ?? {}).includes('computedSource'))

/** The status of a request with an id that is unknown. */
function statusOfUnknown({ row, request, kind }: (typeof attempts)[number]): number {
  if (row.access.may === 'signer') return 401
  if (row.access.may === 'platform') return 403
  return isBatch(request) && !inPath.has(kind) ? 409 : 404
}

describe('an id of another organization', () => {
  it.each(attempts.filter(attempt => !ofAnyone.includes(attempt.kind) && !isNameOfOurs(attempt)))(
    '$kind at $at of $id with $given is treated like an unknown id',
    async attempt => {
      const { request, example, kind, at } = attempt
      const reply = await replyTo(filled(request, at, other => theirs.ids[other]?.[0]))
      const absent = await replyTo(filled(request, at, () => 'nothing'))
      // A response may repeat the ids in the request.
      expect(JSON.stringify(reply).replaceAll(theirs.ids[kind][0] as string, 'nothing')).toEqual(JSON.stringify(absent))
      const isDelete = request.method === 'DELETE' && reply.status === 204
      const isIgnored = example.ignores?.includes(kind) === true && reply.status < 300
      if (isDelete || isIgnored || isWrongInput(reply)) return
      expect(reply.status).toBe(statusOfUnknown(attempt))
    },
  )

  it('changes nothing in either organization', async () => {
    expect(await readTenant(stack, theirs)).toEqual(before.theirs)
    expect(await readTenant(stack, ours)).toEqual(before.ours)
    expect(before.theirs.filter(reply => reply.includes('"status":200')).length).toBeGreaterThan(80)
  })
})
