import type { Actor } from '@recto/actor'
import { maxReferences } from '@recto/contracts-content-bus'
import type { BaseContext } from '../shared/context.ts'
import type { SiteCustomizations } from './customizations.repository.ts'
import { contentTargetOf, isUnpublished, targetsIn, type Target, withoutUnseenLinks } from './references.rules.ts'
import type { ShownStructure } from '../structure/shown-structure.rules.ts'
import { defaultSection, defaultSiteSpace } from '../structure/structure.rules.ts'

type Asking = Pick<BaseContext, 'content'> & { actor: Actor }

/** How a site looks to a visitor: without links to spaces and pages that they do not see; one call to content, if any link leads to a page. */
export async function visibleLooks(
  { content, actor }: Asking,
  { organization, structure }: { organization: string; structure: ShownStructure },
  { settings, overrides, updatedAt }: SiteCustomizations,
): Promise<SiteCustomizations> {
  const visibleSpaces = new Set(structure.siteSpaces.map(({ spaceId }) => spaceId))
  const spaceOf = new Map(structure.siteSpaces.map(({ id, spaceId }) => [id, spaceId]))
  const root = defaultSiteSpace(structure, defaultSection(structure)?.id ?? null)?.spaceId
  const looks = [...overrides].map(([id, look]) => ({ id, look, here: spaceOf.get(id) }))
  const targets = [{ look: settings, here: root }, ...looks].flatMap(({ look, here }) => targetsIn(look, { here }))
  const pages = targets.flatMap(({ space, target }) =>
    space !== undefined && visibleSpaces.has(space) && target?.kind === 'page'
      ? [{ space, kind: target.kind, id: target.id }]
      : [],
  )
  const unseen = await missingAmong({ content, actor }, organization, pages)
  const isSeenFrom = (here: string | undefined) => (to: Target) => {
    if (isUnpublished(to)) return false
    const target = contentTargetOf(to, here)
    if (!target) return true
    const { space = '' } = target
    // A file that the settings link to is seen for that reason.
    return visibleSpaces.has(space) && !unseen.has(keyOf({ space, id: target.target?.id ?? '' }))
  }
  return {
    updatedAt,
    settings: settings && withoutUnseenLinks(settings, isSeenFrom(root)),
    overrides: new Map(looks.map(({ id, look, here }) => [id, withoutUnseenLinks(look, isSeenFrom(here))])),
  }
}

interface PageOfSpace {
  space: string
  kind: 'page'
  id: string
}

const keyOf = ({ space, id }: Pick<PageOfSpace, 'space' | 'id'>) => `${space} ${id}`

/** The pages among these that the caller does not see. */
async function missingAmong(
  { content, actor }: Asking,
  organization: string,
  pages: readonly PageOfSpace[],
): Promise<Set<string>> {
  const unique = [...new Map(pages.map(page => [keyOf(page), page])).values()]
  const unseen = new Set<string>()
  for (let at = 0; at < unique.length; at += maxReferences) {
    const references = unique.slice(at, at + maxReferences)
    const { missing } = await content.checkReferences({ body: { actor, organization, references } })
    for (const place of missing) unseen.add(keyOf(references[place] ?? { space: '', id: '' }))
  }
  return unseen
}
