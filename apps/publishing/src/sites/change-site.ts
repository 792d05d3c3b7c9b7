import type { Role } from '@recto/actor'
import type { Transaction } from '@recto/database'
import type { Context } from '../shared/context.ts'
import { publishSiteChanged } from './site-events.ts'
import type { SiteRow } from './site.entity.ts'
import { canManageSites, canViewSites, requireSite } from './sites.policy.ts'
import * as sites from './sites.repository.ts'
import { shownStructure, type ShownStructure } from '../structure/shown-structure.rules.ts'
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
  can: (role: Role | null) => boolean = canViewSites,
): Promise<sites.SiteView> {
  return requireSite(actor, await sites.find(db, siteId), { organization, can })
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

type Work<Result> = (tx: Transaction, site: sites.SiteView, structure: Structure) => Promise<Result>

/** Runs work on what belongs to a locked site of the caller, not on its row and structure, and publishes its change. Throws as `readSite` does. */
export async function changeSite<Result>(context: Context, params: SiteParams, work: Work<Result>): Promise<Result> {
  return runChange(context, params, { change: unchanged(work) })
}

/** As `changeSite`, for a change after which no visitor token of the site is valid any more, such as a revoked key. */
export async function closeSite<Result>(context: Context, params: SiteParams, work: Work<Result>): Promise<Result> {
  return runChange(context, params, { change: unchanged(work), closes: () => true })
}

/** As `closeSite` where the work says that it closes something, else as `changeSite`. */
export async function closeSiteIf<Result>(
  context: Context,
  params: SiteParams,
  work: Work<{ result: Result; closes: boolean }>,
): Promise<Result> {
  const change = unchanged(work)
  const { result } = await runChange(context, params, { change, closes: ({ closes }) => closes })
  return result
}

/** Changes the row of a site and what it shows; returns the site since. */
export async function changeWhole(
  context: Context,
  params: SiteParams,
  work: (tx: Transaction, before: WholeView) => Promise<WholeView>,
): Promise<sites.SiteView> {
  const change: Change<WholeView> = async (tx, before) => {
    const after = await work(tx, before)
    return { after, result: after }
  }
  const { site } = await runChange(context, params, { change })
  return site
}

/** A site as it is shown, with its structure. */
export interface WholeView {
  site: sites.SiteView
  structure: Structure
}

/** Changes a site; says what it is then. */
type Change<Result> = (tx: Transaction, before: WholeView) => Promise<{ after: WholeView; result: Result }>

function unchanged<Result>(work: Work<Result>): Change<Result> {
  return async (tx, before) => ({ after: before, result: await work(tx, before.site, before.structure) })
}

async function runChange<Result>(
  { actor, transaction, sitesUrl }: Context,
  params: SiteParams,
  { change, closes = () => false }: { change: Change<Result>; closes?: (result: Result) => boolean },
): Promise<Result> {
  return transaction(async tx => {
    const found = await sites.lock(tx, params.siteId)
    const site = requireSite(actor, found, { organization: params.organizationId, can: canManageSites })
    const before = { site, structure: await structures.load(tx, site.id) }
    const { after, result } = await change(tx, before)
    await publishSiteChanged(tx, { before, after }, { sitesUrl, closes: closes(result) })
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
  id: string
}

/** Changes what a site shows, by a rule over its structure; returns the site and the structure since. */
export async function changeStructure(
  context: Context,
  params: SiteParams,
  rule: (structure: Structure, site: SiteRow) => Structure | Changed,
): Promise<ChangedSite> {
  const change: Change<ChangedSite> = async (tx, { site, structure: before }) => {
    const result = rule(before, site)
    const { structure, id } = 'structure' in result ? result : { structure: result, id: '' }
    await structures.save(tx, before, structure)
    return { after: { site, structure }, result: { site, structure: shownStructure(structure), id } }
  }
  return runChange(context, params, { change })
}
