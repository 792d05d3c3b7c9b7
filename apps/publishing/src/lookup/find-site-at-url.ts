import { memberActor } from '@recto/actor'
import { verifyPreview } from '@recto/actor/visitor-token'
import { Failure } from '@recto/operation'
import type { VisitedSite } from '../published-sites/read-visited-site.ts'
import { ownParts, readUrl } from '../addresses/site-address.rules.ts'
import type { VisitedSites } from '../published-sites/visited-sites.ts'
import type { BaseContext } from '../shared/context.ts'
import { canViewSites } from '../sites/sites.policy.ts'
import { rolesOn } from '../site-access/site-grants.repository.ts'
import { readableSpaces } from '../structure/spaces-of-sites.ts'

/** The host of previews, which is no host of any site. */
const previewHost = 'preview'

/** A site that a URL leads to, and how much of the path is the site's own. */
export interface SiteAtUrl {
  visited: VisitedSite
  parts: string[]
  /** Parts of the path that lead to the site: of its proxy, its share link or its preview. */
  own: number
  shareKey?: string
  sitePreview?: SitePreview
}

/** The content of a site's preview. */
export interface SitePreview {
  /** The spaces that its author can read now. */
  spaces: string[]
  claims: Record<string, unknown>
  showsDrafts: boolean
  /** Its author, where it shows comments. */
  member?: string
}

type Tools = Pick<BaseContext, 'db' | 'sitesUrl' | 'signingSecret' | 'content' | 'people'> & {
  visitedSites: VisitedSites
}

/** Finds the site at a URL. Throws `not_found`, in words for the visitor, when there is none that they may see. */
export async function findSiteAtUrl(url: string, authorization: string | undefined, tools: Tools): Promise<SiteAtUrl> {
  const address = readUrl(url)
  if (!address) throw nothingHere()
  if (address.host === previewHost) return findPreviewed(address.parts, authorization, tools)
  const candidates = ownersOf(address.host, await tools.visitedSites.atHost(tools.db, address.host))
  const [nearest] = candidates
    .flatMap(visited => {
      const own = ownParts(visited.site, address, tools.sitesUrl)
      return own === undefined || !visited.site.published ? [] : [{ visited, own }]
    })
    .sort((one, other) => other.own - one.own)
  if (!nearest) throw nothingHere()
  const { visited, own } = nearest
  if (visited.site.visibility !== 'share-link') return { visited, parts: address.parts, own }
  const shareKey = address.parts[own]
  if (shareKey === undefined || !visited.shareKeys.has(shareKey))
    throw new Failure('not_found', 'This site is shared by secret links, and this is none of them', {
      details: [{ path: 'url', message: 'must lead through a share link' }],
    })
  return { visited, parts: address.parts, own: own + 1, shareKey }
}

/** The sites at a host of the organization that has it as a hostname, which may be proven: a proxy is what anybody may write. */
function ownersOf(host: string, sites: VisitedSite[]): VisitedSite[] {
  const owner = sites.find(({ site }) => site.hostname === host)?.site.organizationId
  return owner === undefined ? sites : sites.filter(({ site }) => site.organizationId === owner)
}

async function findPreviewed(parts: string[], authorization: string | undefined, tools: Tools): Promise<SiteAtUrl> {
  const token = bearerOf(authorization)
  const preview = token === undefined ? undefined : await verifyPreview(token, tools.signingSecret)
  const visited = preview && (await tools.visitedSites.byId(tools.db, preview.site))
  if (!visited || visited.site.id !== parts[0]) throw previewEnded()
  const spaces = await previewedSpaces(visited, preview.user, tools)
  const { claims, showsDrafts, showsComments, user } = preview
  const sitePreview = { spaces, claims, showsDrafts, ...(showsComments && { member: user }) }
  return { visited, parts, own: 1, sitePreview }
}

/** The spaces of a site that who made its preview can read now; throws when they do not see the site any more. */
async function previewedSpaces({ site, withDrafts }: VisitedSite, user: string, tools: Tools): Promise<string[]> {
  const { organizationId: organization } = site
  const { members } = await tools.people.listMemberships({ body: { organization, users: [user] } })
  const [member] = members
  if (!member) throw previewEnded()
  const actor = memberActor(user, { organization, role: member.role, teams: member.teams })
  const siteRole = (await rolesOn({ db: tools.db, actor }, [site])).get(site.id) ?? null
  if (!canViewSites(siteRole)) throw previewEnded()
  const ids = withDrafts.siteSpaces.map(({ spaceId }) => spaceId)
  return [...(await readableSpaces({ content: tools.content, actor }, organization, ids)).keys()]
}

/** The token of a header `Authorization: Bearer` (RFC 6750). */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
}

function previewEnded(): Failure {
  return new Failure('not_found', 'This preview has ended')
}

function nothingHere(): Failure {
  return new Failure('not_found', 'There is no site at this address')
}
