import { membershipIn, type Actor, type Role, type RoleCheck } from '@recto/actor'
import type { Db, Transaction } from '@recto/database'
import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { type BeyondToken, findBeyondToken, requireNoneBeyond, shownBeyond } from './covered-spaces.ts'
import { spacesOpened } from './opening.rules.ts'
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
import { listedSpaces, noSuchSiteSpace, type ReadableSpaces, requirePublishable } from '../structure/spaces-of-sites.ts'
import { requireSiteSpace, type Structure } from '../structure/structure.rules.ts'
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
  /** The spaces that visitors see and the caller's token is not for: it may not show them to more people. */
  beyondToken: string[]
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
  context: Context,
  params: SiteParams,
  change: (tx: Transaction, locked: LockedSite) => Promise<{ after: SiteWithStructure; result: Result }>,
): Promise<Result> {
  const { actor, transaction, sitesUrl } = context
  const isBeyond = await findBeyondOnSite(context, params)
  return transaction(async tx => {
    const row = await sites.lock(tx, params.siteId)
    const request = { organization: params.organizationId, can: canManageSites }
    const { site, role } = await siteForCaller({ db: tx, actor }, row, request)
    const before = { site, structure: await structures.load(tx, site.id) }
    let closes = false
    const place = { organization: site.organizationId, site: site.id }
    const beyondToken = shownBeyond(isBeyond, before.structure)
    const revokeTokens = () => void (closes = true)
    const { after, result } = await change(tx, { ...before, role, place, beyondToken, revokeTokens })
    requireNoneBeyond(isBeyond(spacesOpened(before, after)))
    await publishSiteChanged(tx, { before, after }, { sitesUrl, closes })
    return result
  })
}

/** Asks for the spaces of a site that the caller's token is not for. Others do not learn of the site, nor does content of them. */
async function findBeyondOnSite(context: Context, params: SiteParams): Promise<BeyondToken> {
  if (context.actor.limitedTo) await requireManagedSite(context, params)
  return findBeyondToken(context, params)
}

/** The spaces that visitors of a site see and the caller's token is not for, of a site that the caller may change. */
export async function shownBeyondToken(context: Context, params: SiteParams): Promise<string[]> {
  if (!context.actor.limitedTo) return []
  const isBeyond = await findBeyondOnSite(context, params)
  return shownBeyond(isBeyond, await structures.load(context.db, params.siteId))
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
  /** The space that the reply is about, where the change says which. */
  spaces?: ReadableSpaces | undefined
}

/** Changes what a site shows, by a rule over its structure; returns the site and the structure since. */
export async function updateStructure(context: Context, params: SiteParams, rule: StructureRule): Promise<ChangedSite> {
  return updateStructureAndMore(context, params, { rule })
}

type StructureRule = (structure: Structure, site: SiteRow) => Structure | Changed

/** A change of what a site shows. */
export interface StructureChange {
  rule: StructureRule
  /** Changes in the same transaction what belongs to the changed part. */
  more?(tx: Transaction, changed: Changed): Promise<void>
  /** The id of the space on the site that the reply shows: the change is refused where the caller does not see that. */
  shows?: ((changed: Changed) => string) | undefined
}

/** Changes what a site shows as `updateStructure` does, and more with it. */
export async function updateStructureAndMore(
  context: Context,
  params: SiteParams,
  change: StructureChange,
): Promise<ChangedSite> {
  const { publishable, spaces } = await askBefore(context, params, change)
  return changeLocked(context, params, async (tx, { site, structure: before }) => {
    const changed = applyRule(change.rule, before, site)
    const { structure, id } = changed
    if (site.published) requireSomethingLive(before, structure)
    const shownSpace = spaceShown(change, changed)
    const isAsked = shownSpace === undefined || spaces?.has(shownSpace) === true
    if (!isAsked || spacesMadeLive(before, structure).some(space => !publishable.has(space)))
      throw new Failure('conflict', 'The site was changed at the same time; send the request again')
    await structures.save(tx, before, structure)
    await change.more?.(tx, changed)
    const views = { structure: shownStructure(structure), live: liveStructure(structure) }
    return { after: { site, structure }, result: { site, ...views, id, spaces } }
  })
}

/** The id of the space that the reply to a change shows; throws `not_found` where the site does not show it, as one that is deleted. */
function spaceShown({ shows }: StructureChange, changed: Changed): string | undefined {
  return shows && requireSiteSpace(shownStructure(changed.structure), shows(changed)).spaceId
}

function applyRule(rule: StructureRule, before: Structure, site: SiteRow): Changed {
  const result = rule(before, site)
  return 'structure' in result ? result : { structure: result, id: '' }
}

/**
 * The spaces that a change makes live, all of which the caller may publish, and the one that the reply shows, which they see. Asked before
 * the site is locked, since another service answers. Throws as `requireManagedSite` and `requirePublishable` do, and `not_found`.
 */
async function askBefore(context: Context, params: SiteParams, change: StructureChange) {
  const { organizationId: organization } = params
  const site = await requireManagedSite(context, params)
  const before = await structures.load(context.db, site.id)
  const changed = applyRule(change.rule, before, site)
  const madeLive = spacesMadeLive(before, changed.structure)
  if (madeLive.length > 0) requireNoneBeyond((await findBeyondToken(context, params))(madeLive))
  const fields = madeLive.map(id => ({ id, field: 'body.draft' }))
  await requirePublishable(context, organization, fields)
  const shownSpace = spaceShown(change, changed)
  const spaces = shownSpace === undefined ? undefined : await listedSpaces(context, organization, [shownSpace])
  if (shownSpace !== undefined && !spaces?.has(shownSpace)) throw noSuchSiteSpace()
  return { publishable: new Set(madeLive), spaces }
}
