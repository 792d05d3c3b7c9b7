import { query } from '@recto/database'
import { publishingApi } from '@recto/contracts-publishing'
import {
  briefly,
  expectedChanges,
  recordedCall,
  recordedOnce,
  recordingOperations,
  recordReader,
  typesOf,
  type ExpectedChange,
  type RecordedCall,
  type RecordedFact,
} from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { anIdentityResponder, type IdentityResponder } from './test/identity-responder.ts'
import { aPublishing, type PublishingSetup } from './test/publishing-setup.ts'
import { aRecordedSite, fields, longer, needle, url } from './test/recorded-site.ts'
import { linkCalls, movingCalls, sectionCalls, siteSpaceCalls } from './test/structure-calls.ts'

let publishing: PublishingSetup
let identity: IdentityResponder
let read: () => Promise<RecordedFact[]>
beforeAll(async () => {
  publishing = await aPublishing()
  identity = await anIdentityResponder(publishing.natsUrlFor('identity'))
  identity.setMember('ada', 'admin')
  identity.setMember('bob', 'read', ['writers'])
  read = recordReader('publishing', async (sql, values) => query(publishing.service.db, sql, values))
})
afterAll(async () => {
  await identity.stop()
  await publishing.stop()
})

const site = aRecordedSite(() => publishing)
const { ids, id, params, at, ada, space, keep } = site
const permission = () => ({ ...params(), userId: 'bob' })
const teamPermission = () => ({ ...params(), teamId: 'writers' })
const destination = { kind: 'external', url } as const
const mcpServer = { name: needle, url, transport: 'http', headers: { key: needle } } as const
const jsonSchema = { type: 'object', properties: {}, additionalProperties: false } as never

const updateSite = (body: object) => ada().updateSiteById({ params: params(), body })
const removeHostname = () => ada().removeCustomHostname({ params: { hostname: 'docs.needle.example' } })

const siteCalls: RecordedCall[] = [
  recordedCall(
    'createSite',
    'a site with a space',
    () => keep('site', ada().createSite({ params: params(), body: { title: needle, spaces: [space()] } })),
    ['site.created', 'site', { spaces: 1 }],
  ),
  recordedCall('updateSiteById', 'another title', () => updateSite({ title: longer }), [
    'site.updated',
    'site',
    fields('title'),
  ]),
  recordedCall('updateSiteById', 'the same title', () => updateSite({ title: longer })),
  recordedCall(
    'updateSiteById',
    'a hostname, a level and a visibility',
    () => updateSite({ hostname: 'docs.needle.example', defaultLevel: 'read', visibility: 'unlisted' }),
    ['site.updated', 'site', fields('visibility')],
    ['site.hostname.updated', 'site', { hasHostname: true, isPending: false }],
    ['site.permissions.updated', 'site', { defaultLevel: 'read' }],
  ),
  recordedCall(
    'updateSiteById',
    'a level that closes the site, where its creator keeps their role',
    () => updateSite({ defaultLevel: null }),
    ['site.permissions.updated', 'site', { users: ['ada'], role: 'admin' }],
    ['site.permissions.updated', 'site', { defaultLevel: null }],
  ),
  recordedCall('removeCustomHostname', 'the hostname', () => removeHostname(), [
    'site.hostname.updated',
    'site',
    { hasHostname: false, isPending: false },
  ]),
  recordedCall('removeCustomHostname', 'a hostname that is gone', () => removeHostname()),
  recordedCall('publishSite', 'a site', () => ada().publishSite({ params: params() }), ['site.published', 'site']),
  recordedCall('publishSite', 'a published site', () => ada().publishSite({ params: params() })),
  recordedCall('unpublishSite', 'a site', () => ada().unpublishSite({ params: params() }), [
    'site.unpublished',
    'site',
  ]),
  recordedCall('unpublishSite', 'a site that is not published', () => ada().unpublishSite({ params: params() })),
]

const settingCalls: RecordedCall[] = [
  ...recordedOnce(
    'updateSiteCustomizationById',
    async () => {
      const { updatedAt: _time, ...look } = await ada().getSiteCustomizationById({ params: params() })
      const body = { ...look, title: needle }
      await ada().updateSiteCustomizationById({ params: params(), body: body as never })
    },
    ['site.customization.updated', 'site', fields('title')],
  ),
  ...recordedOnce(
    'overrideSiteSpaceCustomizationById',
    () => ada().overrideSiteSpaceCustomizationById({ params: at('siteSpace'), body: { title: needle } as never }),
    ['site.customization.updated', 'site siteSpace', fields('title')],
  ),
  ...recordedOnce(
    'deleteSiteSpaceCustomizationById',
    () => ada().deleteSiteSpaceCustomizationById({ params: at('siteSpace') }),
    ['site.customization.updated', 'site siteSpace'],
  ),
  ...recordedOnce(
    'updateSitePublishingAuthById',
    () => ada().updateSitePublishingAuthById({ params: params(), body: { fallbackURL: url } }),
    ['site.authentication.updated', 'site', fields('fallbackUrl')],
  ),
  ...recordedOnce(
    'updateSitePublishingAuthById',
    () => {
      const oidc = { issuer: url, clientId: needle, clientSecret: needle, scopes: [], claims: { needle } }
      return ada().updateSitePublishingAuthById({ params: params(), body: { oidc } })
    },
    ['site.authentication.updated', 'site', fields('oidc')],
  ),
  recordedCall(
    'updateSitePublishingAuthById',
    'no provider any more',
    () => ada().updateSitePublishingAuthById({ params: params(), body: { oidc: null } }),
    ['site.authentication.updated', 'site', fields('oidc')],
  ),
  ...recordedOnce(
    'updateSitePublishingAuthById',
    () => {
      const members = { claims: { [needle]: 'email' as const } }
      return ada().updateSitePublishingAuthById({ params: params(), body: { members } })
    },
    ['site.authentication.updated', 'site', fields('members')],
  ),
  recordedCall(
    'regenerateSitePublishingAuthById',
    'a key',
    () => ada().regenerateSitePublishingAuthById({ params: params(), body: { revoke: true } }),
    ['site.authentication.key.regenerated', 'site', { revoke: true }],
  ),
  ...recordedOnce(
    'updateSiteAdaptiveSchema',
    () => ada().updateSiteAdaptiveSchema({ params: params(), body: { jsonSchema } }),
    ['site.adaptive-schema.updated', 'site'],
  ),
  recordedCall(
    'createSiteMcpServer',
    'a server',
    () => keep('siteMcpServer', ada().createSiteMcpServer({ params: params(), body: mcpServer })),
    ['site.mcp-server.created', 'site siteMcpServer'],
  ),
  ...recordedOnce(
    'updateSiteMcpServerById',
    () => ada().updateSiteMcpServerById({ params: at('siteMcpServer'), body: { headers: { key: longer } } }),
    ['site.mcp-server.updated', 'site siteMcpServer', fields('headers')],
  ),
  ...recordedOnce('deleteSiteMcpServerById', () => ada().deleteSiteMcpServerById({ params: at('siteMcpServer') }), [
    'site.mcp-server.deleted',
    'site siteMcpServer',
  ]),
  recordedCall(
    'createSiteRedirect',
    'a redirect',
    () =>
      keep('siteRedirect', ada().createSiteRedirect({ params: params(), body: { source: '/needle', destination } })),
    ['site.redirect.created', 'site siteRedirect'],
  ),
  ...recordedOnce(
    'updateSiteRedirectById',
    () => ada().updateSiteRedirectById({ params: at('siteRedirect'), body: { source: '/needle-2' } }),
    ['site.redirect.updated', 'site siteRedirect', fields('source')],
  ),
  ...recordedOnce('deleteSiteRedirectById', () => ada().deleteSiteRedirectById({ params: at('siteRedirect') }), [
    'site.redirect.deleted',
    'site siteRedirect',
  ]),
  ...recordedOnce(
    'bulkUpsertSiteRedirects',
    () => bulk({ source: '/needle', destination }, { source: '/needle-2', destination }),
    ['site.redirects.updated', 'site', { saved: 2, deleted: 0 }],
  ),
  ...recordedOnce('bulkUpsertSiteRedirects', () => bulk({ source: '/needle', destination: null }), [
    'site.redirects.updated',
    'site',
    { saved: 0, deleted: 1 },
  ]),
  recordedCall(
    'createSiteShareLink',
    'a link',
    () => keep('siteShareLink', ada().createSiteShareLink({ params: params(), body: { name: needle } })),
    ['site.share-link.created', 'site siteShareLink'],
  ),
  ...recordedOnce(
    'updateSiteShareLinkById',
    () =>
      ada().updateSiteShareLinkById({
        params: { ...params(), shareLinkId: id('siteShareLink') },
        body: { active: false },
      }),
    ['site.share-link.updated', 'site siteShareLink', fields('active')],
  ),
  ...recordedOnce(
    'deleteSiteShareLinkById',
    () => ada().deleteSiteShareLinkById({ params: { ...params(), shareLinkId: id('siteShareLink') } }),
    ['site.share-link.deleted', 'site siteShareLink'],
  ),
]
const bulk = (...redirects: object[]) =>
  ada().bulkUpsertSiteRedirects({ params: params(), body: { redirects: redirects as never } })

const permissions = (role: string | null, kind: 'users' | 'teams'): ExpectedChange => [
  'site.permissions.updated',
  'site',
  { role, users: [], teams: [], [kind]: [kind === 'users' ? 'bob' : 'writers'] },
]
const permissionCalls: RecordedCall[] = [
  ...recordedOnce(
    'inviteToSite',
    () => ada().inviteToSite({ params: params(), body: { role: 'edit', users: ['bob'] } }),
    permissions('edit', 'users'),
  ),
  recordedCall(
    'inviteToSite',
    'a team',
    () => ada().inviteToSite({ params: params(), body: { role: 'edit', teams: ['writers'] } }),
    permissions('edit', 'teams'),
  ),
  ...recordedOnce(
    'updateUserPermissionInSite',
    () => ada().updateUserPermissionInSite({ params: permission(), body: { role: 'read' } }),
    permissions('read', 'users'),
  ),
  ...recordedOnce(
    'updateTeamPermissionInSite',
    () => ada().updateTeamPermissionInSite({ params: teamPermission(), body: { role: 'read' } }),
    permissions('read', 'teams'),
  ),
  ...recordedOnce(
    'removeUserFromSite',
    () => ada().removeUserFromSite({ params: permission() }),
    permissions(null, 'users'),
  ),
  ...recordedOnce(
    'removeTeamFromSite',
    () => ada().removeTeamFromSite({ params: teamPermission() }),
    permissions(null, 'teams'),
  ),
]

const lastCalls: RecordedCall[] = [
  ...recordedOnce('deleteSiteById', () => ada().deleteSiteById({ params: params() }), ['site.deleted', 'site']),
  recordedCall(
    'createSite',
    'an empty site',
    () => keep('site', ada().createSite({ params: params(), body: { title: needle, spaces: [] } })),
    ['site.created', 'site', { spaces: 0 }],
  ),
]

const structureCalls = [siteSpaceCalls, sectionCalls, movingCalls, linkCalls].flatMap(callsOf => callsOf(site))
const calls = [...siteCalls, ...structureCalls, ...settingCalls, ...permissionCalls, ...lastCalls]

it.each(calls)('A call records what it changed: $operation, $what', async ({ call, expected, operation }) => {
  await call()
  const facts = await read()
  expect(facts.map(briefly)).toEqual(expectedChanges(expected, ids))
  expect(typesOf(publishingApi, operation)).toEqual(expect.arrayContaining(facts.map(({ type }) => type)))
  expect(JSON.stringify(facts)).not.toContain('needle')
})

it('applyTemplateToSite records the sections and spaces that it adds', async () => {
  await ada().applyTemplateToSite({ params: params() })
  const types = (await read()).map(({ type }) => type)
  expect(types).toEqual([...Array(3).fill('site.section.added'), ...Array(3).fill('site.space.added')])
})

it('A deletion that is refused to a member is recorded', async () => {
  const deletion = publishing.as('create', 'cleo').deleteSiteById({ params: params() })
  await expect(deletion).rejects.toMatchObject({ code: 'forbidden' })
  expect(await read()).toMatchObject([
    { type: 'access.refused', details: { operation: 'deleteSiteById' }, actor: { kind: 'user', id: 'cleo' } },
  ])
})

it('Every operation that records something is called by these tests', () => {
  const covered = new Set([...calls.map(({ operation }) => operation), 'applyTemplateToSite'])
  expect([...covered].toSorted()).toEqual(recordingOperations(publishingApi).toSorted())
})
