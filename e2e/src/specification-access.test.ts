import { api } from '@recto/contracts'
import { beforeAll } from '@jest/globals'
import {
  type Access,
  type AccessSetup,
  aPairOfSites,
  createCallers,
  forEachCaller,
  hiddenFromGuests,
  members,
  testAccess,
  type Caller,
} from './access.ts'
import { aSpecification, aSpecificationText } from './specifications.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'

interface Subjects {
  organizationId: string
  specSlug: string
  versionId: string
  /** The specification that each caller may delete. */
  doomed: Record<Caller, string>
}

/** Guests do not see specifications; readers see them and change nothing. */
const creators = (status: number): number[] => [401, 404, 404, 403, status, status, 403]
/** Whoever sees the organization is refused with 403. */
const creatorsInside = (status: number): number[] => [401, 404, 403, 403, status, status, 403]
const source = () => ({ body: { source: { text: aSpecificationText() } } })

/** The status of each operation for each caller. */
const table: Record<string, Access<Subjects>> = {
  listOpenAPISpecs: [members(200)],
  createOpenAPISpec: [
    creatorsInside(201),
    (_subjects, caller) => ({ body: { slug: `of-${caller}`, source: { text: aSpecificationText() } } }),
  ],
  getOpenAPISpecBySlug: [hiddenFromGuests(200)],
  createOrUpdateOpenAPISpecBySlug: [creators(200), source],
  updateOpenAPISpecBySlug: [creators(200), () => ({ body: { visibility: 'private' } })],
  refreshOpenAPISpec: [creators(200)],
  listOpenAPISpecVersions: [hiddenFromGuests(200)],
  getLatestOpenAPISpecVersion: [hiddenFromGuests(200)],
  getLatestOpenAPISpecVersionContent: [hiddenFromGuests(200)],
  getOpenAPISpecVersionById: [hiddenFromGuests(200)],
  getOpenAPISpecVersionContentById: [hiddenFromGuests(200)],
  downloadOpenAPISpec: [Array<number>(7).fill(404)],
  downloadOpenAPISpecAsYaml: [Array<number>(7).fill(404)],
  deleteOpenAPISpecBySlug: [creators(204), ({ doomed }, caller) => ({ params: { specSlug: doomed[caller] } })],
}

let stack: Installation
let world: AccessSetup<Subjects>

beforeAll(async () => {
  stack = await sharedStack()
  const { organization, people } = await createCallers(stack)
  const { id: organizationId, admin } = organization
  const { slug: specSlug, version: versionId } = await aSpecification(admin, organizationId)
  const doomed = await forEachCaller(async () => (await aSpecification(admin, organizationId)).slug)
  const space = await admin.client.orgs.createSpace(organizationId, { title: 'Manual' } as never)
  // Private specifications are no visitor's.
  const except = { getLatestOpenAPISpecVersionContent: 404, getOpenAPISpecVersionContentById: 404 }
  const visitors = { ...(await aPairOfSites(admin, organizationId, space.data.id)), except }
  world = { stack, people, visitors, subjects: { organizationId, specSlug, versionId, doomed } }
})

testAccess({ service: 'openapi-specs', rows: api['openapi-specs'], table, world: () => world })
