import { requireMember, requireRole } from '@recto/actor'
import { allOf } from '@recto/contracts-shared'
import { sites } from '@recto/contracts-publishing'
import { feature, fieldFault, type Input, omitUndefined } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { updateSiteWithStructure, readSite, type SiteParams } from './update-site.ts'
import { requireFreeAddresses } from './require-free-addresses.ts'
import { applySiteTemplate } from './apply-template.ts'
import { presentSites } from './present-site.ts'
import { deleteSite } from './site-events.ts'
import { canDeleteSites, canManageSites, canViewSites, requireSite } from './sites.policy.ts'
import { withLoginUrls } from '../publishing-auth/login-urls.ts'
import { claimHostname } from './claim-hostname.ts'
import { readCreator, setDefaultLevel } from './default-level.ts'
import * as repository from './sites.repository.ts'
import { rolesOn } from '../site-access/site-grants.repository.ts'
import { titleOfNewSpace, titleOfSite } from './sites.rules.ts'
import { createSite } from './create-site.ts'
import { readableSpaces, requirePublishable } from '../structure/spaces-of-sites.ts'
import { requirePublishableStructure, shownStructure } from '../structure/shown-structure.rules.ts'
import * as structures from '../structure/structure.repository.ts'
import {
  defaultSection,
  makeDefaultSection,
  makeDefaultSiteSpace,
  type Structure,
} from '../structure/structure.rules.ts'

export const siteFeature = feature<BaseContext>()(sites, {
  async listSites({ params: { organizationId: organization }, query }, context) {
    const { role, teams } = requireMember(context.actor, organization)
    const { userId: user, limitedTo } = context.actor
    const { space, title, published, type, ...page } = query
    const seen = space === undefined ? undefined : await readableSpaces(context, organization, [space])
    const filter = {
      viewer: { organization, user, role, teams, limitedTo },
      space: seen && (seen.has(space ?? '') ? space : null),
      title,
      types: type && allOf(type),
      published: published === undefined ? undefined : published === 'true',
    }
    const sitePage = await repository.list(context.db, filter, { ...page, cursorKey: context.cursorKey() })
    const items = await withLoginUrls(context.db, await presentSites(context, sitePage.items))
    return { ...sitePage, items }
  },

  async createSite({ params: { organizationId: organization }, body }, context) {
    requireRole(context.actor, organization, canManageSites)
    const spaces = await spacesOfNewSite(context, organization, body)
    const title = titleOfSite(body.title, spaces[0]?.title)
    const { type, visibility } = body
    const { userId: createdBy } = context.actor
    const site = await createSite({ organizationId: organization, type, visibility, title, createdBy }, spaces, context)
    return presentOne(context, site)
  },

  async getSiteById({ params }, context) {
    return presentOne(context, await readSite(context, params))
  },

  async updateSiteById({ params, body }, context) {
    const creator = body.defaultLevel === null ? await readCreator(context, params) : undefined
    const changed = await updateSiteWithStructure(context, params, async (tx, { site, role, structure: before }) => {
      await setDefaultLevel(tx, { site, role, creator }, body.defaultLevel)
      const { defaultSiteSpace, defaultSiteSection, adaptiveContent, hostname, ...settings } = body
      const { sitesUrl, requiresProof } = context
      await requireFreeAddresses(tx, site, { requestedAddresses: body, sitesUrl, requiresProof })
      const claim = hostname === undefined ? undefined : await claimHostname(tx, site, { hostname, requiresProof })
      const changes = {
        ...omitUndefined(settings),
        ...(adaptiveContent && { adaptiveContent: adaptiveContent.enabled }),
        ...(claim && { hostname: claim.hostname }),
      }
      await repository.update(tx, site.id, changes)
      const structure = withDefaults(before, { defaultSiteSpace, defaultSiteSection })
      await structures.save(tx, before, structure)
      return { site: { ...site, ...changes, ...claim }, structure }
    })
    return presentOne(context, changed)
  },

  async deleteSiteById({ params }, context) {
    const { organizationId: organization, siteId } = params
    requireMember(context.actor, organization)
    await context.transaction(async tx => {
      const row = await repository.lock(tx, siteId)
      if (row?.organizationId !== organization) return
      const caller = { db: tx, actor: context.actor }
      const role = (await rolesOn(caller, [row])).get(row.id) ?? null
      if (!canViewSites(role)) return
      await deleteSite(tx, requireSite(role, row, { organization, can: canDeleteSites }))
    })
    return undefined
  },

  async applyTemplateToSite({ params }, context) {
    await applySiteTemplate(context, params)
    return undefined
  },

  publishSite: ({ params }, context) => setPublished(context, params, true),

  unpublishSite: ({ params }, context) => setPublished(context, params, false),
})

async function setPublished(context: Context, params: SiteParams, published: boolean) {
  const changed = await updateSiteWithStructure(context, params, async (tx, { site, structure }) => {
    if (published && !site.published) requirePublishableStructure(structure)
    await repository.update(tx, site.id, { published })
    return { site: { ...site, published }, structure }
  })
  return presentOne(context, changed)
}

async function presentOne(context: Context, site: repository.SiteView) {
  const [presented] = await withLoginUrls(context.db, await presentSites(context, [site]))
  if (!presented) throw new RangeError('a site was asked for')
  return presented
}

type NewSite = Input<typeof sites.createSite>['body']

/** The spaces that a new site shows: those that the request names, or one that is created for it. */
async function spacesOfNewSite(context: Context, organization: string, { spaces, title }: NewSite) {
  if (Array.isArray(spaces)) {
    const spaceFields = [...new Set(spaces)].map(id => ({ id, field: `body.spaces.${spaces.indexOf(id)}` }))
    return requirePublishable(context, organization, spaceFields)
  }
  const { actor } = context
  const created = { title: titleOfNewSpace(title), sample: spaces === 'sample' }
  return [(await context.content.createSpaceOfSite({ body: { actor, organization, ...created } })).space]
}

/** The structure with other defaults: a section, and a space of the default section or of a site without sections. */
function withDefaults(
  before: Structure,
  {
    defaultSiteSpace,
    defaultSiteSection,
  }: { defaultSiteSpace?: string | undefined; defaultSiteSection?: string | undefined },
): Structure {
  const structure = defaultSiteSection === undefined ? before : withDefaultSection(before, defaultSiteSection)
  if (defaultSiteSpace === undefined) return structure
  const place = defaultSection(shownStructure(structure))?.id ?? null
  const siteSpace = structure.siteSpaces.find(({ id, sectionId }) => id === defaultSiteSpace && sectionId === place)
  if (!siteSpace)
    throw fieldFault('body.defaultSiteSpace', 'must be a space of the default section, or of a site without sections')
  return makeDefaultSiteSpace(structure, siteSpace)
}

function withDefaultSection(structure: Structure, id: string): Structure {
  if (!structure.sections.some(section => section.id === id))
    throw fieldFault('body.defaultSiteSection', 'must be a section of the site')
  return makeDefaultSection(structure, id)
}
