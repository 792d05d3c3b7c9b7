import { Failure } from '@recto/operation'
import type { Context } from '../shared/context.ts'
import { addSection, type ShownSpace } from '../structure/change-structure.rules.ts'
import * as structures from '../structure/structure.repository.ts'
import type { Structure } from '../structure/structure.rules.ts'
import { requireManagedSite, type SiteParams, updateStructure } from './update-site.ts'

/** The sections of a site that is filled from the template, and the templates of their spaces. */
const sections = [
  { title: 'Documentation', icon: 'book-open', template: 'product-docs' },
  { title: 'API reference', icon: 'code', template: 'api-docs' },
  { title: 'Changelog', icon: 'clock-rotate-left', template: 'changelog' },
] as const

/** Fills an empty site with sections of sample pages. Throws `conflict` for a site that has something. */
export async function applySiteTemplate(context: Context, params: SiteParams): Promise<void> {
  const { actor, content, db } = context
  const { organizationId: organization } = params
  await requireManagedSite(context, params)
  requireEmpty(await structures.load(db, params.siteId))
  const spaces: ShownSpace[] = []
  for (const { title, template: id } of sections) {
    const template = { id, params: { contentRefs: {} } }
    const body = { actor, organization, title, sample: false, template }
    spaces.push((await content.createSpaceOfSite({ body })).space)
  }
  await updateStructure(context, params, (structure, { id: siteId }) => {
    requireEmpty(structure)
    return spaces.reduce((all, space, at) => {
      const { title = space.title, icon = null } = sections[at] ?? {}
      return addSection(all, { siteId, space, title, icon, firstTitle: title }).structure
    }, structure)
  })
}

function requireEmpty({ sections, groups, siteSpaces }: Structure): void {
  if (sections.length + groups.length + siteSpaces.length > 0)
    throw new Failure('conflict', 'The site has content: only an empty one can be filled from the template')
}
