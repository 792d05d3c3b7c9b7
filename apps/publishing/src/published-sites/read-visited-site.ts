import type { Db } from '@recto/database'
import * as customizations from '../customization/customizations.repository.ts'
import { effectiveCustomization } from '../customization/customization.rules.ts'
import type { SiteRow } from '../sites/site.entity.ts'
import * as sites from '../sites/sites.repository.ts'
import { liveStructure, type ShownStructure, shownStructure } from '../structure/shown-structure.rules.ts'
import type { SiteGrants } from '../site-access/site-access.policy.ts'
import * as siteGrants from '../site-access/site-grants.repository.ts'
import * as structures from '../structure/structure.repository.ts'
import * as adaptiveSchemas from '../adaptive-schema/adaptive-schemas.repository.ts'
import * as shareLinks from '../share-links/share-links.repository.ts'
import type { MemberVisitorsRow } from '../publishing-auth/member-visitors.entity.ts'
import * as memberVisitors from '../publishing-auth/member-visitors.repository.ts'
import type { SiteAuthRow } from '../publishing-auth/site-auth.entity.ts'
import * as siteAuth from '../publishing-auth/site-auth.repository.ts'
import * as siteOidc from '../publishing-auth/site-oidc.repository.ts'

/** All of a site that decides what its visitors read. */
export interface VisitedSite {
  site: SiteRow
  structure: ShownStructure
  /** The structure with drafts, for previews. */
  withDrafts: ShownStructure
  /** Keys of its active share links. */
  shareKeys: ReadonlySet<string>
  auth: SiteAuthRow | undefined
  /** Whether an OpenID provider signs its visitors in. */
  hasProvider: boolean
  /** How members of the organization sign in as its visitors. */
  members: MemberVisitorsRow | undefined
  /** The roles on it that decide which members of the organization it lets in. */
  grants: SiteGrants
  adaptiveSchema: Record<string, unknown> | undefined
  /** Whether a page of the site may have a link to its repository. */
  showsGit: boolean
}

/** The sites at a host: with this hostname or basename, or behind a proxy there. */
export async function findAtHost(
  db: Db,
  { host, basename }: { host: string; basename: string | undefined },
): Promise<VisitedSite[]> {
  const ids = await sites.idsAtHost(db, { host, basename })
  const visitedSites = await Promise.all(ids.map(id => findVisited(db, id)))
  return visitedSites.filter(site => site !== undefined)
}

/** A site by id with all that decides what its visitors read. */
export async function findVisited(db: Db, siteId: string): Promise<VisitedSite | undefined> {
  const site = await sites.find(db, siteId)
  if (!site) return undefined
  const [stored, shareKeys, auth, schema, looks, grants, provider, members] = await Promise.all([
    structures.load(db, siteId),
    shareLinks.activeKeys(db, siteId),
    siteAuth.find(db, siteId),
    adaptiveSchemas.find(db, siteId),
    customizations.load(db, siteId),
    siteGrants.allOn(db, siteId),
    siteOidc.find(db, siteId),
    memberVisitors.find(db, siteId),
  ])
  return {
    site,
    structure: liveStructure(stored),
    withDrafts: shownStructure(stored),
    shareKeys: new Set(shareKeys),
    auth,
    hasProvider: provider !== undefined,
    members,
    grants,
    adaptiveSchema: schema?.jsonSchema,
    showsGit: showsGit(looks),
  }
}

function showsGit({ settings, overrides }: customizations.SiteCustomizations): boolean {
  const looks = [undefined, ...overrides.values()].map(override => effectiveCustomization(settings, override))
  return looks.some(({ git }) => git.showEditLink)
}
