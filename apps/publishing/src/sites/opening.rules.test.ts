import { expect, it } from '@jest/globals'
import { structureOf, updateSiteSpace } from '../structure/change-structure.rules.ts'
import type { Structure } from '../structure/structure.rules.ts'
import type { WholeSite } from './closing.rules.ts'
import { spacesOpened } from './opening.rules.ts'
import type { SiteRow } from './site.entity.ts'
import { newSite } from './sites.rules.ts'

const settings = { organizationId: 'o', type: 'basic' as const, title: 'Docs', basename: 'docs', createdBy: 'u' }
const row: SiteRow = { ...newSite({ ...settings, visibility: 'public' }), published: true }
const all = structureOf(row.id, [
  { id: 'a', title: 'A' },
  { id: 'b', title: 'B' },
])
const [first, second] = all.siteSpaces.map(({ id }) => id)
const whole = (changes: Partial<SiteRow> = {}, structure: Structure = all): WholeSite => ({
  site: { ...row, ...changes },
  structure,
})
const withFirst = (changes: object) => whole({}, updateSiteSpace(all, first ?? '', changes))
const members = { visibility: 'visitor-auth' } as const
const atHosts = (visibility: SiteRow['visibility'], before: string | null, after: string): [WholeSite, WholeSite] => [
  whole({ visibility, hostname: before }),
  whole({ visibility, hostname: after }),
]

it.each<[string, string[], WholeSite, WholeSite]>([
  ['nothing', [], whole(), whole()],
  ['publishing', ['a', 'b'], whole({ published: false }), whole()],
  ['unpublishing', [], whole(), whole({ published: false })],
  ['settings of what is not published', [], whole({ published: false, ...members }), whole({ published: false })],
  ['a wider visibility', ['a', 'b'], whole(members), whole({ visibility: 'share-link' })],
  ['the widest visibility', ['a', 'b'], whole({ visibility: 'unlisted' }), whole()],
  ['a narrower visibility', [], whole(), whole({ visibility: 'unlisted' })],
  ['a default level, where members sign in', ['a', 'b'], whole({ ...members, defaultLevel: null }), whole(members)],
  ['a default level, where nobody does', [], whole({ defaultLevel: null }), whole()],
  ['a hostname, where members sign in', ['a', 'b'], whole(members), whole({ ...members, hostname: 'docs.test' })],
  ['another hostname, where links are secret', ['a', 'b'], ...atHosts('share-link', 'a.test', 'b.test')],
  ['no hostname any more', [], whole({ ...members, hostname: 'docs.test' }), whole(members)],
  ['a hostname, where everybody reads', [], ...atHosts('unlisted', null, 'b.test')],
  ['a proxy, where members sign in', ['a', 'b'], whole(members), whole({ ...members, proxy: 'docs.test/help' })],
  ['adaptive content', ['a', 'b'], whole(), whole({ adaptiveContent: true })],
  ['a title', [], whole(), whole({ title: 'Other' })],
  ['a condition', [], whole(), withFirst({ condition: 'x' })],
  ['no condition', ['a'], withFirst({ condition: 'x' }), whole()],
  ['another condition', ['a'], withFirst({ condition: 'x' }), withFirst({ condition: 'y' })],
  ['a draft', [], whole(), withFirst({ draft: true })],
  ['a draft made live', ['a'], withFirst({ draft: true }), whole()],
  ['a space that was not on the site', [], whole(), withFirst({ spaceId: 'c' })],
  ['a space twice', [], whole(), whole({}, updateSiteSpace(all, second ?? '', { spaceId: 'a' }))],
  ['a path', [], whole(), withFirst({ path: 'other' })],
])('%s opens %j', (_name, expected, before, after) => {
  expect(spacesOpened(before, after)).toEqual(expected)
})
