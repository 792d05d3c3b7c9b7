import { aGitServer, aRepository, type GitServer, type TestRepository } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { manual } from './fixtures/manual.ts'
import { sendRaw, withoutRequestId, type Person } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import type { Template } from './template.ts'
import { byPage, bySiteSpace } from './site-requests.ts'
import { installationUrl, requestInputs, templatesOf, unknownFields } from './tenant-requests.ts'
import { readTenant, rows } from './tenant-readings.ts'
import { aTenant, kinds, type Kind, type Tenant } from './tenant.ts'

const placeholder = /\{(\w+)\}/g

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

/** A request with our ids, except the foreign one at `at`. */
function filled(template: Template, at: number, id: (kind: Kind) => string | undefined): Template {
  let place = -1
  const text = JSON.stringify(template)
    .replaceAll(installationUrl, stack.url)
    .replaceAll(placeholder, (_whole, kind: Kind) => {
      place += 1
      return (place === at ? id(kind) : ours.ids[kind]?.[0]) ?? 'unknown'
    })
  return JSON.parse(text) as Template
}

async function replyTo(request: Template, who: Person = ours.admin): Promise<{ status: number; body: unknown }> {
  const reply = await sendRaw(stack.url, who, request)
  return { status: reply.status, body: withoutRequestId(reply) }
}

const requests = Object.entries(rows).flatMap(([id, row]) => templatesOf(id, row).map(template => ({ id, template })))
const attempts = requests.flatMap(({ id, template }) =>
  [...JSON.stringify(template).matchAll(placeholder)].map(([, kind], at) => ({
    id,
    kind: kind as Kind,
    at,
    template,
    given: JSON.stringify(template.body ?? {}),
  })),
)

describe('the operations of the contract', () => {
  it('have no undeclared id fields', () => {
    const unknown = attempts.filter(({ kind }) => !kinds.includes(kind)).map(({ id, kind }) => `${id}: ${kind}`)
    const fields = Object.entries(rows).flatMap(([id, row]) => unknownFields(id, row).map(fault => `${id}: ${fault}`))
    expect([...unknown, ...fields]).toEqual([])
    expect(Object.keys(requestInputs).filter(id => !rows[id])).toEqual([])
  })

  it('are tested with two organizations that have a resource of every kind', () => {
    for (const { ids } of [ours, theirs]) expect(kinds.filter(kind => !ids[kind][0])).toEqual([])
  })

  const reads = requests.filter(({ id, template }) => template.method === 'GET' && id !== 'startSamlSignIn')

  it.each(reads)('$id succeeds for the admin of the resource', async ({ template }) => {
    expect((await replyTo(filled(template, -1, () => undefined))).status).toBe(200)
  })
})

/** Removing an absent member, or an absent entry of a glossary, succeeds without effect, an e-mail domain without joinable organizations yields an empty list, and so does the filter by a user or page, or by a space of a site. */
const servedAlike = new Set([
  'updateMembersInOrganizationTeam {"remove":["{userId}"]} userId',
  'getOrganizationsForEmailDomain {} emailDomain',
  'updateGlossaryEntries {"operations":[{"type":"delete","id":"{glossaryEntryId}"}]} glossaryEntryId',
  'listSites {} spaceId',
  `aggregateSiteEvents ${JSON.stringify(bySiteSpace)} siteSpaceId`,
  `aggregateSiteEvents ${JSON.stringify(byPage)} spaceId`,
  'listChangeRequestsForSpace {} userId',
  'listChangeRequestsForOrganization {} userId',
  ...['listCommentsInSpace', 'listCommentsInChangeRequest'].flatMap(id => [`${id} {} userId`, `${id} {} pageId`]),
])
/** A webhook without a signature is refused alike, whatever it is about. */
const unsigned = 'receiveGitPush'
const batches = new Set(['updateContent', 'updateContentInChangeRequest', 'resolveChangeRequestConflicts'])
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

/** A name of our own: a resource of that name is created in our organization, whatever others call theirs. */
const isNameOfOurs = ({ id, kind }: { id: string; kind: Kind }) =>
  id === 'createOrUpdateOpenAPISpecBySlug' && kind === 'specSlug'

describe('an id of another organization', () => {
  it.each(attempts.filter(attempt => !ofAnyone.includes(attempt.kind) && !isNameOfOurs(attempt)))(
    '$kind at $at of $id with $given is treated like an unknown id',
    async ({ id, kind, at, template, given }) => {
      const reply = await replyTo(filled(template, at, other => theirs.ids[other]?.[0]))
      const absent = await replyTo(filled(template, at, () => 'nothing'))
      // A response may repeat the ids in the request.
      expect(JSON.stringify(reply).replaceAll(theirs.ids[kind][0] as string, 'nothing')).toEqual(JSON.stringify(absent))
      const isDelete = template.method === 'DELETE' && reply.status === 204
      const isPlatform = id === 'createTokenForUser' && reply.status === 403
      if (isDelete || isPlatform || servedAlike.has(`${id} ${given} ${kind}`) || isWrongInput(reply)) return
      // A target that a batch of changes names must still be there: that is a conflict with the content, not a missing resource.
      const isBatch = batches.has(id) && !inPath.has(kind)
      expect(reply.status).toBe(id === unsigned ? 401 : isBatch ? 409 : 404)
    },
  )

  it('changes nothing in either organization', async () => {
    expect(await readTenant(stack, theirs)).toEqual(before.theirs)
    expect(await readTenant(stack, ours)).toEqual(before.ours)
    expect(before.theirs.filter(reply => reply.includes('"status":200')).length).toBeGreaterThan(80)
  })
})
