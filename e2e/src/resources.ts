import { randomUUID } from 'node:crypto'
import { aFont } from './fonts.ts'
import { aSpecification } from './specifications.ts'
import { aProgram } from './oauth.ts'
import { aMember, sendOk } from './people.ts'
import { anExternalLink, anMcpServer, aSiteWithHostname } from './sites.ts'
import type { Installation } from './stack.ts'
import type { Tenant } from './tenant.ts'
import { aTranslation } from './translations.ts'
import { importRepository } from './walk.ts'

/** An organization with a resource of every kind, and the repository that its spaces were imported from. */
export interface World {
  stack: Installation
  tenant: Tenant
  repository: string
}

const first = ({ tenant: { ids } }: World) => ({
  organizationId: ids.organizationId[0] ?? '',
  spaceId: ids.spaceId[0] ?? '',
  siteId: ids.siteId[0] ?? '',
  siteSpaceId: ids.siteSpaceId[0] ?? '',
})
const orgs = ({ tenant }: World) => tenant.admin.client.orgs

async function ownSpaceId(world: World): Promise<string> {
  return (await orgs(world).createSpace(first(world).organizationId, { title: 'Manual' } as never)).data.id
}

/** Makes a resource of a kind for one request: one that nobody else uses, or one in a state that the operation needs. */
export const makers: Record<string, (world: World) => Promise<string>> = {
  adminUserId: async ({ tenant }) => tenant.admin.id,
  targetOrganizationId: async ({ stack, tenant }) =>
    (await sendOk<{ id: string }>(stack, tenant.admin, { method: 'POST', path: '/orgs', body: { title: 'Target' } }))
      .id,
  ownUserId: async world =>
    (await aMember(world.stack, { id: first(world).organizationId, admin: world.tenant.admin }, 'read')).id,
  ownTeamId: async world =>
    (await orgs(world).createOrganizationTeam(first(world).organizationId, { title: 'Writers' })).data.id,
  ownInviteId: async world =>
    (await orgs(world).createOrganizationInvite(first(world).organizationId, { role: 'read' as never })).data.id,
  ownSamlProviderId: async world =>
    (await orgs(world).createOrganizationSamlProvider(first(world).organizationId, { label: 'Login' })).data.id,
  ownOidcProviderId: async world => {
    const path = `/orgs/${first(world).organizationId}/oidc`
    const body = { label: 'OpenID' }
    return (await sendOk<{ id: string }>(world.stack, world.tenant.admin, { method: 'POST', path, body })).id
  },
  ownSpaceId,
  deletedSpaceId: async world => {
    const id = await ownSpaceId(world)
    await world.tenant.admin.client.spaces.deleteSpaceById(id)
    return id
  },
  ownCollectionId: async world =>
    (await orgs(world).createCollection(first(world).organizationId, { title: 'Docs' })).data.id,
  ownChangeRequestId: async world =>
    (await world.tenant.admin.client.spaces.createChangeRequest(first(world).spaceId, { subject: 'To merge' })).data.id,
  failedOperationId: async world =>
    (await importRepository(world.tenant.admin, first(world).spaceId, `${world.repository}-of-nobody`)).id,
  ownTranslationId: async world => aTranslation(world.tenant.admin, first(world).organizationId, first(world).spaceId),
  ownOauthClientId: async world =>
    (await aProgram(world.stack, { id: first(world).organizationId, admin: world.tenant.admin })).clientId,
  ownServiceAccountId: async world => {
    const path = `/orgs/${first(world).organizationId}/service-accounts`
    const body = { name: 'Indexer' }
    return (await sendOk<{ id: string }>(world.stack, world.tenant.admin, { method: 'POST', path, body })).id
  },
  ownWebhookId: async world => {
    const path = `/orgs/${first(world).organizationId}/webhooks`
    const body = { url: 'https://hooks.test/recto' }
    return (await sendOk<{ id: string }>(world.stack, world.tenant.admin, { method: 'POST', path, body })).id
  },
  ownSpecSlug: async world => (await aSpecification(world.tenant.admin, first(world).organizationId)).slug,
  ownSiteId: async world => {
    const { organizationId, spaceId } = first(world)
    const site = (await orgs(world).createSite(organizationId, { title: 'Docs', spaces: [spaceId] })).data
    await orgs(world).publishSite(organizationId, site.id)
    return site.id
  },
  ownHostname: async world => (await aSiteWithHostname(world.tenant.admin, first(world).organizationId)).hostname,
  ownSiteSectionId: async world => {
    const { organizationId, siteId, spaceId } = first(world)
    return (await orgs(world).addSectionToSite(organizationId, siteId, { spaceId, title: 'More' })).data.id
  },
  ownSiteSectionGroupId: async world => {
    const { organizationId, siteId } = first(world)
    return (await orgs(world).addSectionGroupToSite(organizationId, siteId, { title: 'More' })).data.id
  },
  ownSiteExternalLinkId: async world => {
    const { organizationId, siteId } = first(world)
    return anExternalLink(world.tenant.admin, organizationId, siteId)
  },
  ownSiteMcpServerId: async world => {
    const { organizationId, siteId } = first(world)
    return anMcpServer(world.tenant.admin, organizationId, siteId)
  },
  ownSiteSpaceId: async world => {
    const { organizationId, siteId } = first(world)
    const spaceId = await ownSpaceId(world)
    return (await orgs(world).addSpaceToSite(organizationId, siteId, { spaceId })).data.id
  },
  ownShareLinkId: async world => {
    const { organizationId, siteId } = first(world)
    return (await orgs(world).createSiteShareLink(organizationId, siteId, { name: 'Friends' })).data.id
  },
  ownFontId: async world => aFont(world.tenant.admin, first(world).organizationId),
  ownSiteRedirectId: async world => {
    const { organizationId, siteId, siteSpaceId } = first(world)
    const destination = { kind: 'site-space' as const, siteSpaceId }
    const redirect = { source: `/${randomUUID()}`, destination }
    return (await orgs(world).createSiteRedirect(organizationId, siteId, redirect as never)).data.id
  },
}
