import { visitorActor, verifyVisitorToken, visitorTokenKeys } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { lifecycleEvents } from '@recto/contracts-content-bus'
import { publishingApi } from '@recto/contracts-publishing'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aPublisher, type Publisher } from '../test/a-publisher.ts'
import { aPublishing, organization, secret, type PublishingSetup } from '../test/publishing-setup.ts'

let publishing: PublishingSetup
let content: Publisher
beforeAll(async () => {
  publishing = await aPublishing()
  content = await aPublisher(publishing.natsUrlFor('content'))
})
afterAll(async () => {
  await content.stop()
  await publishing.stop()
})

const creator = () => publishing.as('create')

/** Puts a space into the trash, or restores it, for content and publishing. */
async function setDeleted(space: string, isDeleted: boolean) {
  publishing.content.setDeleted(space, isDeleted)
  const changed = { organization, space, by: 'somebody', at: new Date().toISOString() }
  const event = isDeleted ? lifecycleEvents.spaceDeleted : lifecycleEvents.spaceRestored
  await content.publish(tx => tx.publish(event, changed as never))
  await content.allAcknowledged()
}

interface Addressed {
  id: string
  default?: boolean | undefined
  urls: { published?: string | undefined }
}
interface Structured extends Addressed {
  object: string
  siteSpaces?: Structured[]
  children?: Structured[]
}

/** All sections and spaces of a structure. */
function partsOf(entries: readonly Structured[]): Structured[] {
  return entries.flatMap(entry => [entry, ...partsOf([...(entry.siteSpaces ?? []), ...(entry.children ?? [])])])
}

async function lookUp(url: string) {
  const lookup = await publishing.anonymous.resolvePublishedContentByUrl({ body: { url }, headers: {} })
  if ('redirect' in lookup) throw new Error(`redirected to ${lookup.redirect}`)
  return lookup
}

/** Reads a site as a visitor, with the token of a lookup. */
async function visit(url: string) {
  const { apiToken, organization: organizationId, site: siteId } = await lookUp(url)
  const verified = await verifyVisitorToken(apiToken, visitorTokenKeys([secret]))
  if (!verified) throw new Error('the token is not valid')
  const actor = visitorActor(verified.actor.visitor)
  const client = busClient(publishing.gateway, publishingApi, { service: 'publishing', prefix: 'api', actor })
  const params = { organizationId, siteId }
  const { structure } = await client.getPublishedContentSite({ params })
  const redirect = async (source: string) =>
    (await client.getSiteRedirectBySource({ params, query: { source } })).target
  return { parts: partsOf(structure.structure as unknown as Structured[]), redirect }
}

/** Looks every address of a visit up; each must lead to what has it. */
async function expectAllFound({ parts }: Awaited<ReturnType<typeof visit>>) {
  expect(parts.length).toBeGreaterThan(0)
  for (const { object, id, urls } of parts) {
    const { siteSection, siteSpace, pathname } = await lookUp(urls.published ?? '')
    expect([object === 'site-section' ? siteSection : siteSpace, pathname]).toEqual([id, '/'])
  }
}

const defaults = (parts: Structured[]) => parts.flatMap(part => (part.default === true ? [part.id] : []))

/** A published site with the sections Guides (Latest, Old) and Api (Reference, Beta), the first of each the default one. */
async function aSite() {
  const { content: spaces } = publishing
  const [latest, old, reference, beta] = ['Latest', 'Old', 'Reference', 'Beta'].map(title => spaces.aSpace(title)) as [
    string,
    string,
    string,
    string,
  ]
  const { id } = await creator().createSite({ params: { organizationId: organization }, body: { spaces: [latest] } })
  const params = { organizationId: organization, siteId: id }
  const { urls } = await creator().publishSite({ params })
  const api = await creator().addSectionToSite({ params, body: { spaceId: reference, title: 'Api' } })
  await creator().addSpaceToSite({ params, body: { spaceId: old } })
  await creator().addSpaceToSite({ params, body: { spaceId: beta, sectionId: api.id } })
  const { items } = await creator().listSiteSpaces({ params })
  const idOf = (space: string) => items.find(row => row.space.id === space)?.id ?? ''
  return { params, root: urls.published ?? '', api: api.id, spaces: { latest, old, reference, beta }, idOf }
}

it('where the default space is deleted, the next one has its address, and its own leads there until it is restored', async () => {
  const { root, spaces, idOf, params } = await aSite()
  publishing.content.aPage(spaces.old, 'guide')
  publishing.content.aPage(spaces.latest, 'start')
  const before = await visit(root)
  await expectAllFound(before)
  await setDeleted(spaces.latest, true)
  const deleted = await eventually(async () => {
    const visited = await visit(root)
    expect(defaults(visited.parts)).toContain(idOf(spaces.old))
    return visited
  })
  await expectAllFound(deleted)
  expect((await lookUp(root)).siteSpace).toBe(idOf(spaces.old))
  expect(await deleted.redirect('/old')).toBe(root)
  expect(await deleted.redirect('/old/guide')).toBe(`${root}guide`)
  const { items } = await creator().listSiteSpaces({ params, query: { default: 'true' } })
  expect(items).toMatchObject([{ id: idOf(spaces.old), default: true, urls: { published: root } }])

  await setDeleted(spaces.latest, false)
  const restored = await eventually(async () => {
    const visited = await visit(root)
    expect(visited.parts).toEqual(before.parts)
    return visited
  })
  await expectAllFound(restored)
  // The site that had the root meanwhile keeps its redirects.
  expect(await restored.redirect('/guide')).toBe(`${root}old/guide`)
})

it('where all spaces of the default section are deleted, the next section is at the root until one is restored', async () => {
  const { root, spaces, idOf, api, params } = await aSite()
  publishing.content.aPage(spaces.beta, 'news')
  const before = await visit(root)
  await setDeleted(spaces.latest, true)
  await setDeleted(spaces.old, true)
  const deleted = await eventually(async () => {
    const visited = await visit(root)
    expect(defaults(visited.parts)).toEqual([api, idOf(spaces.reference)])
    return visited
  })
  await expectAllFound(deleted)
  expect(await deleted.redirect('/API')).toBe(root)
  // A new space goes into the section that is the default one now.
  const added = await creator().addSpaceToSite({ params, body: { spaceId: publishing.content.aSpace('New') } })
  expect(added.section).toBe(api)
  await creator().deleteSiteSpaceById({ params: { ...params, siteSpaceId: added.id } })
  await setDeleted(spaces.latest, false)
  await setDeleted(spaces.old, false)
  await eventually(async () => expect((await visit(root)).parts).toEqual(before.parts))
})

it('a variant that alone is visible has its own address, also where it is not the default one', async () => {
  const { root, spaces, idOf, params } = await aSite()
  const body = { condition: 'visitor.claims.beta' }
  await creator().updateSiteSpaceById({ params: { ...params, siteSpaceId: idOf(spaces.latest) }, body })
  await creator().updateSiteSpaceById({ params: { ...params, siteSpaceId: idOf(spaces.reference) }, body })
  const hidden = await eventually(async () => {
    const visited = await visit(root)
    expect(visited.parts.map(({ id }) => id)).not.toContain(idOf(spaces.latest))
    return visited
  })
  expect(hidden.parts.map(({ urls }) => urls.published)).toEqual([
    root,
    `${root}old/`,
    `${root}api/`,
    `${root}api/beta/`,
  ])
  await expectAllFound(hidden)
})
