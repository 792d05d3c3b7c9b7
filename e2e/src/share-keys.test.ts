import { api } from '@recto/contracts'
import { routeOf, type Operation } from '@recto/operation'
import { eventually, replySchemas } from '@recto/testing'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, sendOk, sendRaw, type Person } from './people.ts'
import { aSite, type MadeSite } from './sites.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'

const schemas = replySchemas()
const rows: [string, Operation][] = Object.values(api).flatMap(operations => Object.entries(operations))
const takesKey = ({ query }: Operation) => 'shareKey' in ((query as { shape?: object } | undefined)?.shape ?? {})
const withKey = rows.filter(([, row]) => takesKey(row))

let stack: Installation
let admin: Person
let member: Person
let organizationId: string
let site: MadeSite
let spaceId: string
let key: string

beforeAll(async () => {
  stack = await sharedStack()
  const organization = await anOrganization(stack)
  admin = organization.admin
  organizationId = organization.id
  member = await aMember(stack, organization, 'read')
  const { data } = await admin.client.orgs.createSpace(organizationId, { title: 'Manual' } as never)
  spaceId = data.id
  site = await aSite(admin, organizationId, spaceId)
  // The older document has no form for it.
  const path = `/orgs/${organizationId}/sites/${site.siteId}/external-links/${site.siteExternalLinkId}`
  await sendOk(stack, admin, { method: 'DELETE', path })
  const { items } = (await admin.client.orgs.listSiteShareLinks(organizationId, site.siteId)).data
  key = new URL(items[0]?.urls.published ?? '').pathname.split('/')[1] ?? ''
})

const setVisibility = (visibility: string) =>
  admin.client.orgs.updateSiteById(organizationId, site.siteId, { visibility } as never)

async function lookUp(path: string): Promise<{ token: string }> {
  const { urls } = (await admin.client.orgs.getSiteById(organizationId, site.siteId)).data
  const body = { url: `${urls.published ?? ''}${path}` }
  const reply = await eventually(async () => {
    const lookup = await sendRaw(stack.url, undefined, { method: 'POST', path: '/urls/published', body })
    expect(lookup.status).toBe(200)
    return lookup
  })
  return { token: (reply.body as { apiToken: string }).apiToken }
}

async function read([id, row]: [string, Operation], who: { token: string }, shareKey: string) {
  const { method, path } = routeOf(row) as { method: string; path: string }
  const ids = { organizationId, spaceId, siteId: site.siteId } as Record<string, string>
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? 'nothing')
  const query = new URLSearchParams({ shareKey, source: '/old' })
  const { status, body } = await sendRaw(stack.url, who, { method, path: `${filled}?${query.toString()}` })
  if (status === 200) expect(schemas.validateReply(id, status, body)).toEqual([])
  return { status, hasKey: JSON.stringify(body).includes(`/${key}/`) }
}

const isForVisitors = ([, { access }]: [string, Operation]) => access?.callers?.includes('visitor') === true

describe('the key of a share link', () => {
  it('is taken by these operations', () => {
    expect(withKey.map(([id]) => id).toSorted()).toEqual([
      'getPublishedContentSite',
      'getSiteRedirectBySource',
      'getSiteStructure',
      'getSpaceById',
      'listSiteSections',
      'listSiteSpaces',
    ])
  })

  it.each(withKey.map(row => [row[0], row] as const))(
    'leads members and visitors of %s through the link, and is 404 when it is wrong',
    async (_id, row) => {
      await setVisibility('share-link')
      const readers = [member, ...(isForVisitors(row) ? [await lookUp(`${key}/`)] : [])]
      for (const who of readers) {
        await eventually(async () => expect(await read(row, who, key)).toEqual({ status: 200, hasKey: true }))
        expect((await read(row, who, 'wrong')).status).toBe(404)
      }
      await setVisibility('unlisted')
      const others = [member, ...(isForVisitors(row) ? [await lookUp('')] : [])]
      for (const who of others) {
        await eventually(async () => expect(await read(row, who, key)).toEqual({ status: 200, hasKey: false }))
        expect((await read(row, who, 'wrong')).status).toBe(404)
      }
    },
  )
})
