import { membershipIn, type Actor, type Role, type RoleCheck } from '@recto/actor'
import type { Db, Transaction } from '@recto/database'
import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { publishSiteChanged } from './site-events.ts'
import type { SiteRow } from './site.entity.ts'
import { canManageSites, canViewSites, requireSite } from './sites.policy.ts'
import * as sites from './sites.repository.ts'
import { rolesOn } from '../site-access/site-grants.repository.ts'
import {
  liveStructure,
  requireSomethingLive,
  shownStructure,
  spacesMadeLive,
  type ShownStructure,
} from '../structure/shown-structure.rules.ts'
import { requirePublishable } from '../structure/spaces-of-sites.ts'
import type { Structure } from '../structure/structure.rules.ts'
import * as structures from '../structure/structure.repository.ts'

/** The parameters of every operation on a site. */
export interface SiteParams {
  organizationId: string
  siteId: string
}

/** A site that the caller may see; throws `not_found`, and `forbidden` when their role does not allow something. */
export async function readSite(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  { organizationId: organization, siteId }: SiteParams,
  can: RoleCheck = canViewSites,
): Promise<sites.SiteView> {
  return (await siteForCaller({ db, actor }, await sites.find(db, siteId), { organization, can })).site
}

/** A site with the caller's role on it. */
export interface SiteForCaller {
  site: sites.SiteView
  role: Role | null
}

/** A site that was read, with the caller's role on it. Throws as `requireSite` does. */
export async function siteForCaller(
  { db, actor }: { db: Db; actor: Actor },
  row: sites.SiteView | undefined,
  { organization, can }: { organization: string; can: RoleCheck },
): Promise<SiteForCaller> {
  membershipIn(actor, organization)
  const isOther = row?.organizationId !== organization
  const role = isOther ? null : ((await rolesOn({ db, actor }, [row])).get(row.id) ?? null)
  return { site: requireSite(role, row, { organization, can }), role }
}

/** A site that the caller may change. Asked before what a request names is looked up, which stays unknown to those who may not. */
export async function requireManagedSite(context: Context, params: SiteParams): Promise<sites.SiteView> {
  return readSite(context, params, canManageSites)
}

/** Answers with the address of what was created below a site, the header Location of RFC 9110. */
export function setLocationBelow(
  { publicUrl, setLocation }: Context,
  { organizationId, siteId }: SiteParams,
  path: string,
): void {
  setLocation(`${publicUrl}/v1/orgs/${organizationId}/sites/${siteId}/${path}`)
}

/** A site with its structure. */
export interface SiteWithStructure {
  site: sites.SiteView
  structure: Structure
}

/** A site that is locked for a change. */
interface LockedSite extends SiteWithStructure {
  /** The caller's role on it. */
  role: Role | null
  /** The ids of the site in records of changes. */
  place: { organization: string; site: string }
  /** Ends all visitor tokens of the site with this change, for one that the row and the structure do not show, such as a revoked key. */
  revokeTokens(): void
}

/** Changes what belongs to a locked site of the caller, not its row and structure, and publishes that; `work` records it. Throws as `readSite` does. */
export async function updateSite<Result>(
  context: Context,
  params: SiteParams,
  work: (tx: Transaction, locked: LockedSite) => Promise<Result>,
): Promise<Result> {
  return changeLocked(context, params, async (tx, locked) => ({ after: locked, result: await work(tx, locked) }))
}

/** Changes the row of a site and its structure, as `work` returns them, and records how they differ; returns the site since. */
export async function updateSiteWithStructure(
  context: Context,
  params: SiteParams,
  work: (tx: Transaction, before: SiteWithStructure & { role: Role | null }) => Promise<SiteWithStructure>,
): Promise<sites.SiteView> {
  return changeLocked(context, params, async (tx, before) => {
    const after = await work(tx, before)
    return { after, result: after.site }
  })
}

async function changeLocked<Result>(
  { actor, transaction, sitesUrl }: Context,
  params: SiteParams,
  change: (tx: Transaction, locked: LockedSite) => Promise<{ after: SiteWithStructure; result: Result }>,
): Promise<Result> {
  return transaction(async tx => {
    const row = await sites.lock(tx, params.siteId)
    const request = { organization: params.organizationId, can: canManageSites }
    const { site, role } = await siteForCaller({ db: tx, actor }, row, request)
    const before = { site, structure: await structures.load(tx, site.id) }
    let closes = false
    const place = { organization: site.organizationId, site: site.id }
    const { after, result } = await change(tx, { ...before, role, place, revokeTokens: () => void (closes = true) })
    await publishSiteChanged(tx, { before, after }, { sitesUrl, closes })
    return result
  })
}

/** A changed structure, and the id of the part that the request is about. */
export interface Changed {
  structure: Structure
  id: string
}

/** A site with what it shows after a change, and the id of the part that the request is about. */
interface ChangedSite {
  site: sites.SiteView
  structure: ShownStructure
  /** The part of it that visitors see. */
  live: ShownStructure
  id: string
}

/** Changes what a site shows, by a rule over its structure; returns the site and the structure since. */
export async function updateStructure(context: Context, params: SiteParams, rule: StructureRule): Promise<ChangedSite> {
  return updateStructureAndMore(context, params, { rule, more: async () => undefined })
}

type StructureRule = (structure: Structure, site: SiteRow) => Structure | Changed

/** Changes what a site shows as `updateStructure` does, and in the same transaction what belongs to the changed part. */
export async function updateStructureAndMore(
  context: Context,
  params: SiteParams,
  { rule, more }: { rule: StructureRule; more(tx: Transaction, changed: Changed): Promise<void> },
): Promise<ChangedSite> {
  const publishable = await requirePublishableDrafts(context, params, rule)
  return changeLocked(context, params, async (tx, { site, structure: before }) => {
    const { structure, id } = applyRule(rule, before, site)
    if (site.published) requireSomethingLive(before, structure)
    if (spacesMadeLive(before, structure).some(space => !publishable.has(space)))
      throw new Failure('conflict', 'The site was changed at the same time; send the request again')
    await structures.save(tx, before, structure)
    await more(tx, { structure, id })
    const views = { structure: shownStructure(structure), live: liveStructure(structure) }
    return { after: { site, structure }, result: { site, ...views, id } }
  })
}

function applyRule(rule: StructureRule, before: Structure, site: SiteRow): Changed {
  const result = rule(before, site)
  return 'structure' in result ? result : { structure: result, id: '' }
}

/**
 * The spaces that a change makes live, all of which the caller may publish. Asked before the site is locked, since another service answers.
 * Throws as `requireManagedSite` and `requirePublishable` do.
 */
async function requirePublishableDrafts(
  context: Context,
  params: SiteParams,
  rule: StructureRule,
): Promise<ReadonlySet<string>> {
  const site = await requireManagedSite(context, params)
  const before = await structures.load(context.db, site.id)
  const spaces = spacesMadeLive(before, applyRule(rule, before, site).structure)
  const fields = spaces.map(id => ({ id, field: 'body.draft' }))
  await requirePublishable(context, params.organizationId, fields)
  return new Set(spaces)
}
