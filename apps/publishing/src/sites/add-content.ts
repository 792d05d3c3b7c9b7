import type { ApplySpaceTemplate } from '@recto/contracts-shared'
import type { z } from 'zod'
import type { Context } from '../shared/context.ts'
import type { ShownSpace } from '../structure/change-structure.rules.ts'
import { requirePage, requirePublishableSpace } from '../structure/spaces-of-sites.ts'
import * as structures from '../structure/structure.repository.ts'
import type { Added, Structure } from '../structure/structure.rules.ts'
import { titleOfNewSpace } from './sites.rules.ts'
import { type SiteParams, type StructureChange, updateStructureAndMore } from './update-site.ts'

/** The content that a request adds to a site: a space that exists, with the page at its root, or a new one. */
interface RequestedContent {
  spaceId: string | null
  title?: string | undefined
  template?: z.output<typeof ApplySpaceTemplate> | undefined
  pageId?: string | null | undefined
}

interface Adding extends Pick<StructureChange, 'shows'> {
  content: RequestedContent
  /** The rule that adds the space. */
  add(structure: Structure, added: { siteId: string; space: ShownSpace; pageId: string | undefined }): Added
}

/** Adds a space to a site that the caller manages, and makes it before where the request names none: only for a structure that takes it. */
export async function addContent(context: Context, params: SiteParams, { content, add, shows }: Adding) {
  const pageId = content.pageId ?? undefined
  const space = await spaceOf(content, context, { params, add })
  return updateStructureAndMore(context, params, {
    rule: (structure, { id: siteId }) => add(structure, { siteId, space, pageId }),
    shows,
  })
}

async function spaceOf(
  { spaceId, title, template, pageId }: RequestedContent,
  context: Context,
  { params: { organizationId: organization, siteId }, add }: { params: SiteParams } & Pick<Adding, 'add'>,
): Promise<ShownSpace> {
  if (spaceId !== null) {
    const space = await requirePublishableSpace(context, organization, spaceId)
    if (pageId !== undefined && pageId !== null)
      await requirePage(context, organization, { space: spaceId, page: pageId })
    return space
  }
  const settings = { title: titleOfNewSpace(title) }
  add(await structures.load(context.db, siteId), { siteId, space: { id: '', ...settings }, pageId: undefined })
  const body = { actor: context.actor, organization, ...settings, sample: false, ...(template && { template }) }
  return (await context.content.createSpaceOfSite({ body })).space
}
