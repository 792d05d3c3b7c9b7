import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { anOrganization } from '../test/factories.ts'
import { aScimSetup, type ScimSetup, type SendScim } from '../test/scim/endpoint.ts'
import { entraGroupSteps } from '../test/scim/entra-groups.ts'
import { entraUserSteps } from '../test/scim/entra-users.ts'
import { ann, oktaSteps } from '../test/scim/okta.ts'
import { aScimToken } from '../test/scim/provisioned-organization.ts'
import type { Ids } from '../test/scim/steps.ts'

let setup: ScimSetup
beforeAll(async () => void (setup = await aScimSetup()))
afterAll(() => setup.stop())

const oktaIds: Ids = {}
const entraIds: Ids = {}
const sequences = [
  { client: 'Okta', ids: oktaIds, steps: oktaSteps(oktaIds), type: 'application/scim+json; charset=utf-8' },
  {
    client: 'Entra',
    ids: entraIds,
    steps: [...entraUserSteps(entraIds), ...entraGroupSteps(entraIds)],
    type: 'application/json',
  },
]

describe.each(sequences)('$client', ({ ids, steps, type }) => {
  let send: SendScim
  beforeAll(async () => {
    const token = await aScimToken(await anOrganization(setup.identity))
    send = request =>
      setup.as(token)({ ...request, headers: { 'content-type': type, accept: 'application/scim+json' } })
  })

  it.each(steps)('asks for $title', async ({ request, status, body, remember }) => {
    const reply = await send(request())
    expect([reply.status, reply.body]).toMatchObject([status, body?.() ?? (reply.body as unknown)] as never)
    if (remember) ids[remember] = reply.body.id
  })
})

it('Requests without a token are refused with the error body of SCIM', async () => {
  const reply = await setup.as('')({ path: '/Users' })
  expect([reply.status, reply.body]).toMatchObject([401, { status: '401' }])
})

it('A password is not kept', async () => {
  const token = await aScimToken(await anOrganization(setup.identity))
  const body = { ...ann, userName: 'password@okta.test', emails: [] }
  const reply = await setup.as(token)({ method: 'POST', path: '/Users', body })
  expect(reply.status).toBe(201)
  expect(JSON.stringify(reply.body)).not.toContain(ann.password)
})

it('The descriptions of the service name what clients read of it', async () => {
  const token = await aScimToken(await anOrganization(setup.identity))
  const get = async (path: string) => setup.as(token)({ path })
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  const schemas = await get('/Schemas')
  expect(schemas.body.Resources.map(({ id }: { id: string }) => id)).toContain(enterprise)
  expect((await get(`/Schemas/${enterprise}`)).body).toMatchObject({ name: 'EnterpriseUser' })
  const config = await get('/ServiceProviderConfig')
  expect(config.body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    etag: { supported: true },
  })
  const types = await get('/ResourceTypes')
  expect(types.body).toMatchObject({ totalResults: 2, Resources: [{ endpoint: '/Users' }, { endpoint: '/Groups' }] })
  expect((await get('/ResourceTypes/Group')).body).toMatchObject({ endpoint: '/Groups' })
  expect((await get('/Schemas/urn:nothing')).status).toBe(404)
  expect((await get('/Bulk')).status).toBe(404)
})
