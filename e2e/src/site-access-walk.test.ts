import { randomUUID } from 'node:crypto'
import { agentFeedback, hostnames, sitePermissions } from '@recto/contracts-publishing'
import { beforeAll, expect, it } from '@jest/globals'
import { aMember, anOrganization, type Person } from './people.ts'
import { routeCalls } from './route-calls.ts'
import { sharedStack } from './shared-stack.ts'
import { aSite } from './sites.ts'
import type { Installation } from './stack.ts'
import { checkedReplies } from './walk.ts'

const { checked, publishedOf } = checkedReplies()
const S = '/orgs/{organizationId}/sites/{siteId}'

let stack: Installation
let admin: Person
let call: ReturnType<typeof routeCalls>
let ids: Record<'organizationId' | 'siteId' | 'userId' | 'teamId' | 'spaceId', string>
beforeAll(async () => {
  stack = await sharedStack()
  const organization = await anOrganization(stack)
  admin = organization.admin
  const { id: organizationId } = organization
  const { id: userId } = await aMember(stack, organization, 'read')
  const { orgs } = admin.client
  const { id: teamId } = (await orgs.createOrganizationTeam(organizationId, { title: 'Writers', members: [userId] }))
    .data
  const { id: spaceId } = (await orgs.createSpace(organizationId, { title: 'Manual' } as never)).data
  const { siteId } = await aSite(admin, organizationId, spaceId)
  ids = { organizationId, siteId, userId, teamId, spaceId }
  call = routeCalls(stack, { who: admin, ids, check: checked })
})

interface List {
  items: unknown[]
}

it('Users and teams are granted roles on a site, and lose them', async () => {
  const { userId, teamId } = ids
  await call(`POST ${S}/permissions`, { body: { role: 'edit', users: [userId], teams: [teamId] } })
  expect((await call<List>(`GET ${S}/permissions/users`)).items).toMatchObject([
    { permission: 'edit', user: { id: userId } },
  ])
  expect((await call<List>(`GET ${S}/permissions/teams`)).items).toMatchObject([
    { permission: 'edit', team: { id: teamId } },
  ])
  await call(`PATCH ${S}/permissions/users/{userId}`, { body: { role: 'create' } })
  await call(`PATCH ${S}/permissions/teams/{teamId}`, { body: { role: 'comment' } })
  await call(`DELETE ${S}/permissions/users/{userId}`)
  await call(`DELETE ${S}/permissions/teams/{teamId}`)
  const { items } = await call<List>(`GET ${S}/permissions/aggregate`)
  const origin = { type: 'organization', organization: ids.organizationId }
  expect(items).toMatchObject([
    { permission: 'read', origin },
    { permission: 'admin', origin },
  ])
})

it('A hostname is set, looked at and removed', async () => {
  const hostname = `${randomUUID()}.docs.example`
  const { basename = '' } = (
    await admin.client.orgs.updateSiteById(ids.organizationId, ids.siteId, { hostname } as never)
  ).data
  for (const method of ['GET', 'PATCH', 'DELETE'])
    await call(`${method} /custom-hostnames/{hostname}`, { names: { hostname } })
  await call('GET /subdomains/{subdomain}', { names: { subdomain: basename } })
})

it('Agents say what hindered them, and nothing is kept of visitors', async () => {
  const feedback = { category: 'usability', summary: 'The tool finds nothing' }
  await call(`POST ${S}/agents/feedback`, { body: { subject: { kind: 'generic' }, feedback } })
  const about = { url: 'https://docs.test/', spaceId: ids.spaceId, pageId: 'a page' }
  await call(`POST ${S}/agent-feedback`, { body: { feedback: 'Outdated', ...about } })
  await call(`GET ${S}/insights/visitor-segments`)
})

it('has used every published operation on the access to sites', () => {
  expect(publishedOf({ ...sitePermissions, ...hostnames, ...agentFeedback }).unused).toEqual([])
})
