import { api } from '@recto/contracts'
import { routeOf, type Operation } from '@recto/operation'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { anOrganization, sendRaw, type Person } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import { aSite } from './sites.ts'
import { aSpecification } from './specifications.ts'
import type { Installation } from './stack.ts'
import { aTranslation } from './translations.ts'
import { aComment } from './walk.ts'

/** The parameters of what holds the target of a delete: one that does not exist is answered like one that the caller may not see. */
const containers = new Set(['organizationId', 'spaceId', 'collectionId', 'siteId', 'changeRequestId'])

const deletes = Object.values(api as Record<string, Record<string, Operation>>)
  .flatMap(rows => Object.entries(rows))
  .flatMap(([id, row]) => {
    const route = routeOf(row)
    return route?.method === 'DELETE' ? [{ id, path: route.path }] : []
  })

/** Every delete once for each parameter that can name nothing: its target, or a part on the way to it. */
const cases = deletes.flatMap(({ id, path }) => {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const target = path.endsWith('}') ? parameters.at(-1) : undefined
  const unknown = parameters.filter(name => name === target || !containers.has(name))
  const requests = unknown.map(absent => ({ title: `${id} with an unknown ${absent}`, path, absent }))
  return target === undefined ? [...requests, { title: `${id} where nothing is set`, path, absent: '' }] : requests
})

let stack: Installation
let admin: Person
let values: Partial<Record<string, string>>

beforeAll(async () => {
  stack = await sharedStack()
  const organization = await anOrganization(stack)
  admin = organization.admin
  const { spaces, orgs } = admin.client
  const organizationId = organization.id
  const spaceId = (await orgs.createSpace(organizationId, { title: 'Manual' } as never)).data.id
  const collectionId = (await orgs.createCollection(organizationId, { title: 'Guides' })).data.id
  const teamId = (await orgs.createOrganizationTeam(organizationId, { title: 'Writers' })).data.id
  const changeRequestId = (await spaces.createChangeRequest(spaceId, { subject: 'Changes' })).data.id
  values = {
    organizationId,
    spaceId,
    collectionId,
    teamId,
    changeRequestId,
    userId: admin.id,
    ...(await aComment(admin, spaceId)),
    ...(await aSite(admin, organizationId, spaceId)),
    specSlug: (await aSpecification(admin, organizationId)).slug,
    translationId: await aTranslation(admin, organizationId, spaceId),
  }
})

describe('A delete whose target does not exist', () => {
  it.each(cases)('answers 204: $title', async ({ path, absent }) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
      name === absent ? 'nothing' : (values[name] ?? 'nothing'),
    )
    expect(await sendRaw(stack.url, admin, { method: 'DELETE', path: filled })).toMatchObject({ status: 204, body: '' })
  })
})
