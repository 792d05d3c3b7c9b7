import { randomUUID } from 'node:crypto'
import { certificate } from './fixtures/certificate.ts'
import { aMember, anOrganization, sendOk, type Person } from './people.ts'
import { aFont } from './fonts.ts'
import { aGrant } from './oauth.ts'
import { aServiceAccount } from './service-accounts.ts'
import { aSite, aSiteWithHostname } from './sites.ts'
import { aSpecification } from './specifications.ts'
import type { Installation } from './stack.ts'
import { aGlossaryEntry, aRun, aTranslation } from './translations.ts'
import { aWebhook } from './webhooks.ts'
import { aComment, contentImport, importedIds, importRepository, request, waitForEnd } from './walk.ts'

/** Kinds of ids by the names of path parameters, and some whose parameters have the name of another kind. */
// prettier-ignore
export const kinds = [
  'serviceAccountId', 'serviceAccountTokenId', 'oauthClientId', 'oauthGrantId', 'sessionId',
  'organizationId', 'userId', 'teamId', 'inviteId', 'pendingInviteId', 'samlProviderId', 'oidcProviderId', 'emailDomain', 'tokenId',
  'siteId',
  'spaceId', 'collectionId', 'pageId', 'fileId', 'revisionId', 'operationId', 'previewId', 'importId', 'importRunId',
  'pagePath', 'documentId', 'reusableContentId', 'changeRequestId', 'reviewId',
  'commentId', 'commentReplyId', 'changeRequestCommentId', 'changeRequestReplyId',
  'siteSectionId', 'siteSectionGroupId', 'siteExternalLinkId', 'siteSpaceId', 'shareLinkId', 'siteRedirectId', 'siteMcpServerId',
  'fontId',
  'hostname', 'subdomain',
  'auditEventId', 'webhookId', 'deliveryId',
  'specSlug', 'versionId', 'translationId', 'runId', 'glossaryEntryId',
] as const

const webhookSecret = 'the-secret-of-the-webhooks'

/** One of the kinds of ids. */
export type Kind = (typeof kinds)[number]

/** An organization with a resource of every kind. */
export interface Tenant {
  admin: Person
  /** Ids of each kind; the tests address the first one. */
  ids: Record<Kind, string[]>
}

interface Organization {
  id: string
  admin: Person
}

/** Creates an organization with a resource of every kind. */
export async function aTenant(stack: Installation, repository: string): Promise<Tenant> {
  const emailDomain = `${randomUUID()}.test`
  const organization = await anOrganization(stack, { emailDomains: [emailDomain] })
  const people = await createPeople(stack, organization)
  const content = await createContent({ ...organization, stack }, repository, people.userId)
  await createGrants(organization, { ...people, ...content })
  const invites = await createInvites(stack, organization, content)
  const { id: token } = await sendOk<{ id: string }>(stack, organization.admin, {
    method: 'POST',
    path: '/user/tokens',
    body: { name: 'ci' },
  })
  const own = {
    organizationId: [organization.id],
    emailDomain: [emailDomain],
    tokenId: [token],
  }
  const sites = await createSites(organization, content)
  await sendOk(stack, organization.admin, {
    method: 'POST',
    path: `/orgs/${organization.id}/sites/${sites.siteId[0]}/permissions`,
    body: { role: 'read', users: people.userId, teams: people.teamId },
  })
  await allowAnswers(stack, organization, sites.siteId[0] ?? '')
  const hosts = await createHosts(organization)
  const specs = await createSpecs(organization)
  const fontId = [await aFont(organization.admin, organization.id)]
  const translations = await createTranslations(organization, content)
  const { admin } = organization
  const accounts = await aServiceAccount(stack, organization)
  const programs = await aGrant(stack, organization)
  const others = {
    ...specs,
    ...translations,
    fontId,
    ...accounts,
    ...programs,
    ...(await aWebhook(stack, organization)),
  }
  return { admin, ids: { ...own, ...people, ...content, ...invites, ...sites, ...hosts, ...others } }
}

/** Creates other spaces, collections and sites in the organization of a tenant, with a resource of every kind in them. */
export async function moreResources(stack: Installation, tenant: Tenant, repository: string): Promise<Tenant> {
  const { admin, ids } = tenant
  const organization = { id: ids.organizationId[0] ?? '', admin }
  const content = await createContent({ ...organization, stack }, repository, ids.userId)
  const sites = await createSites(organization, content)
  const hosts = await createHosts(organization)
  const translations = await createRunTranslation(organization, content)
  return { admin, ids: { ...ids, ...content, ...sites, ...hosts, ...translations } }
}

/** Lets the organization and its site answer questions. */
async function allowAnswers(stack: Installation, { id, admin }: Organization, siteId: string): Promise<void> {
  await sendOk(stack, admin, { method: 'PATCH', path: `/orgs/${id}`, body: { ai: true } })
  const { data } = await admin.client.orgs.getSiteCustomizationById(id, siteId)
  await admin.client.orgs.updateSiteCustomizationById(id, siteId, { ...data, ai: { mode: 'search' } } as never)
}

/** Creates a translation with a run that fails, and an entry of the glossary. */
async function createTranslations(
  organization: Organization,
  content: Pick<Tenant['ids'], 'spaceId'>,
): Promise<Pick<Tenant['ids'], 'translationId' | 'runId' | 'glossaryEntryId'>> {
  const translations = await createRunTranslation(organization, content)
  return { ...translations, glossaryEntryId: [await aGlossaryEntry(organization.admin, organization.id)] }
}

/** Creates a translation with a run that fails. */
async function createRunTranslation(
  { id, admin }: Organization,
  { spaceId }: Pick<Tenant['ids'], 'spaceId'>,
): Promise<Pick<Tenant['ids'], 'translationId' | 'runId'>> {
  const translation = await aTranslation(admin, id, spaceId[0] ?? '')
  const { id: run } = await aRun(admin, id, translation)
  return { translationId: [translation], runId: [run] }
}

/** Creates specifications, each with a version. */
async function createSpecs({ id, admin }: Organization): Promise<Pick<Tenant['ids'], 'specSlug' | 'versionId'>> {
  const made = [await aSpecification(admin, id), await aSpecification(admin, id)]
  for (const { slug } of made)
    await admin.client.orgs.updateOpenApiSpecBySlug(id, slug, { visibility: 'public' as never })
  return { specSlug: made.map(({ slug }) => slug), versionId: made.map(({ version }) => version) }
}

async function createPeople(
  stack: Installation,
  organization: Organization,
): Promise<Pick<Tenant['ids'], 'userId' | 'teamId' | 'samlProviderId' | 'oidcProviderId'>> {
  const {
    id,
    admin: { client },
  } = organization
  const writer = await aMember(stack, organization, 'edit')
  const reader = await aMember(stack, organization, 'read')
  const guest = await aMember(stack, organization, null)
  const writers = await client.orgs.createOrganizationTeam(id, { title: 'Writers', members: [writer.id, guest.id] })
  const readers = await client.orgs.createOrganizationTeam(id, { title: 'Readers', members: [reader.id] })
  await client.orgs.addMemberToOrganizationTeamById(id, writers.data.id, writer.id, { role: 'owner' as never })
  const settings = {
    entityID: 'https://idp.test',
    ssoURL: 'https://idp.test/sso',
    certificate,
    defaultTeam: readers.data.id,
  }
  const provider = await client.orgs.createOrganizationSamlProvider(id, { label: 'Login', ...settings })
  const pending = await client.orgs.createOrganizationSamlProvider(id, { label: 'Later' })
  return {
    userId: [writer.id, reader.id, guest.id],
    teamId: [writers.data.id, readers.data.id],
    samlProviderId: [provider.data.id, pending.data.id],
    oidcProviderId: [await anOidcProvider(stack, organization), await anOidcProvider(stack, organization)],
  }
}

/** An OpenID provider that is pending: there is none to reach. */
async function anOidcProvider(stack: Installation, { id, admin }: Organization): Promise<string> {
  const body = { label: 'OpenID', issuer: 'https://idp.test', clientID: 'recto', emailDomains: ['recto.test'] }
  return (await sendOk<{ id: string }>(stack, admin, { method: 'POST', path: `/orgs/${id}/oidc`, body })).id
}

type Content = Pick<
  Tenant['ids'],
  | 'spaceId'
  | 'collectionId'
  | 'pageId'
  | 'fileId'
  | 'revisionId'
  | 'operationId'
  | 'previewId'
  | 'importId'
  | 'importRunId'
  | 'pagePath'
  | 'documentId'
  | 'reusableContentId'
  | 'changeRequestId'
  | 'reviewId'
  | 'commentId'
  | 'commentReplyId'
  | 'changeRequestCommentId'
  | 'changeRequestReplyId'
>

/** Creates nested collections and spaces inside and outside of them, two with content and one deleted. */
async function createContent(
  { id, admin, stack }: Organization & { stack: Installation },
  repository: string,
  [reviewer = '']: string[],
): Promise<Content> {
  const { orgs, spaces } = admin.client
  const outer = (await orgs.createCollection(id, { title: 'Outer' })).data.id
  const inner = (await orgs.createCollection(id, { title: 'Inner', parent: outer })).data.id
  const aSpace = async (title: string, parent?: string) =>
    (await orgs.createSpace(id, { title, ...(parent !== undefined && { parent }) } as never)).data.id
  const spaceId = [
    await aSpace('Manual', inner),
    await aSpace('Guide'),
    await aSpace('Notes', outer),
    await aSpace('Old'),
  ]
  const [first = '', second = '', , old = ''] = spaceId
  const manual = await importedIds(admin, first, await importRepository(admin, first, repository))
  const guide = await importedIds(admin, second, await importRepository(admin, second, repository))
  const failed = await importRepository(admin, first, `${repository}-of-nobody`)
  await synchronise(admin, first, repository)
  const previewId = await aPreview(stack, admin, first)
  const importId = [await contentImport(admin, first, `${repository}/HEAD`)]
  const changeRequest = (await spaces.createChangeRequest(first, { subject: 'Changes' })).data
  await request(admin, 'POST', `/spaces/${first}/change-requests/${changeRequest.id}/content`, {
    changes: [{ operation: 'insert_page', title: 'Tour', document: { markdown: 'A first walk.' } }],
  })
  await spaces.requestReviewersForChangeRequest(first, changeRequest.id, { users: [reviewer] })
  const onMain = await aComment(admin, first)
  const proposed = await aComment(admin, first, changeRequest.id)
  const review = (await spaces.submitChangeRequestReview(first, changeRequest.id, { status: 'approved' as never })).data
  await spaces.deleteSpaceById(old)
  const both = (name: keyof typeof manual) => [manual[name], guide[name]]
  return {
    spaceId,
    collectionId: [inner, outer],
    pageId: both('pageId'),
    fileId: both('fileId'),
    pagePath: both('pagePath'),
    documentId: both('documentId'),
    reusableContentId: both('reusableContentId'),
    revisionId: both('revisionId'),
    operationId: [...both('operationId'), failed.id],
    previewId: [previewId],
    importId,
    importRunId: importId,
    changeRequestId: [changeRequest.id],
    reviewId: [review.id],
    commentId: [onMain.commentId],
    commentReplyId: [onMain.commentReplyId],
    changeRequestCommentId: [proposed.commentId],
    changeRequestReplyId: [proposed.commentReplyId],
  }
}

/** Creates a site with a part of every kind. */
async function createSites(
  { id, admin }: Organization,
  { spaceId }: Pick<Tenant['ids'], 'spaceId'>,
): Promise<
  Pick<
    Tenant['ids'],
    | 'siteId'
    | 'siteSectionId'
    | 'siteSectionGroupId'
    | 'siteExternalLinkId'
    | 'siteSpaceId'
    | 'shareLinkId'
    | 'siteRedirectId'
    | 'siteMcpServerId'
  >
> {
  const site = await aSite(admin, id, spaceId[0] ?? '')
  return {
    siteId: [site.siteId],
    siteSectionId: [site.siteSectionId, site.otherSectionId],
    siteSectionGroupId: [site.siteSectionGroupId],
    siteExternalLinkId: [site.siteExternalLinkId],
    siteSpaceId: [site.siteSpaceId],
    shareLinkId: [site.shareLinkId],
    siteRedirectId: [site.siteRedirectId],
    siteMcpServerId: [site.siteMcpServerId],
  }
}

/** Creates a site with a hostname. */
async function createHosts({ id, admin }: Organization): Promise<Pick<Tenant['ids'], 'hostname' | 'subdomain'>> {
  const { hostname, basename } = await aSiteWithHostname(admin, id)
  return { hostname: [hostname], subdomain: [basename] }
}

/** Synchronises a space with the repository that it was imported from, which changes nothing in it. */
async function synchronise(admin: Person, spaceId: string, repository: string): Promise<void> {
  const path = `/spaces/${spaceId}/git/sync`
  const previews = { forge: 'gitlab', apiUrl: 'http://127.0.0.1:9' }
  const settings = { ref: 'refs/heads/main', direction: 'import', pollInterval: 0, webhookSecret, previews }
  const body = { url: repository, ...settings }
  const { lastImport } = await request<{ lastImport?: { id: string } }>(admin, 'PUT', path, body)
  await waitForEnd(admin, spaceId, lastImport?.id ?? '')
}

/** The preview of a merge request that a webhook names; its ref does not exist. */
async function aPreview(stack: Installation, admin: Person, spaceId: string): Promise<string> {
  const time = '2026-11-26 10:00:00 UTC'
  const pull = { iid: 1, title: 'Fix', state: 'opened', target_branch: 'main', updated_at: time }
  await fetch(`${stack.url}/v1/spaces/${spaceId}/git/webhook`, {
    method: 'POST',
    headers: { 'x-gitlab-event': 'Merge Request Hook', 'x-gitlab-token': webhookSecret },
    body: JSON.stringify({ object_kind: 'merge_request', object_attributes: pull }),
  })
  const { items } = await request<{ items: { id: string }[] }>(admin, 'GET', `/spaces/${spaceId}/git/previews`)
  return items[0]?.id ?? ''
}

async function createGrants(
  { admin: { client } }: Organization,
  { userId, teamId, spaceId, collectionId }: Pick<Tenant['ids'], 'userId' | 'teamId' | 'spaceId' | 'collectionId'>,
): Promise<void> {
  const grant = { role: 'comment' as never, users: userId, teams: teamId }
  await client.spaces.inviteToSpace(spaceId[0] ?? '', grant)
  await client.collections.inviteToCollection(collectionId[0] ?? '', grant)
  await client.spaces.updateSpaceById(spaceId[2] ?? '', { defaultLevel: null } as never)
}

async function createInvites(
  stack: Installation,
  { id, admin }: Organization,
  { spaceId, collectionId }: Pick<Tenant['ids'], 'spaceId' | 'collectionId'>,
): Promise<Pick<Tenant['ids'], 'inviteId' | 'pendingInviteId'>> {
  const { client } = admin
  const link = async (gives: object) => (await client.orgs.createOrganizationInvite(id, gives as never)).data.id
  const inviteId = [
    await link({ role: 'edit' }),
    await link({ level: 'read', space: spaceId[0] }),
    await link({ level: 'read', collection: collectionId[0] }),
  ]
  await client.orgs.inviteUsersToOrganization(id, { emails: [`${randomUUID()}@recto.test`] })
  const { items } = await sendOk<{ items: { id: string }[] }>(stack, admin, {
    method: 'GET',
    path: `/orgs/${id}/invites`,
  })
  return { inviteId, pendingInviteId: items.map(item => item.id) }
}
