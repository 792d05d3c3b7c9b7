import { siteContentCalls } from '@recto/contracts-content-bus'
import type { Transaction } from '@recto/database'
import { Failure, feature } from '@recto/operation'
import { accessFromList, resolveAccess, viewerIn } from '../access/access.policy.ts'
import { visiblePages } from '../audience/visible-pages.ts'
import { findPages } from '../former-paths/find-pages.ts'
import { fillSpace, fillWithComputed } from '../editing/add-content.ts'
import type { SpaceRow } from '../resources/space.entity.ts'
import { createSpace } from '../spaces/create-space.ts'
import { duplicateSpace } from '../spaces/duplicate-space.ts'
import { resolvePreview } from '../reading/resolve-preview.ts'
import { isTargetThere } from '../templates/template-links.ts'
import { templatePages } from '../templates/template-pages.ts'
import { readTemplate } from '../templates/templates.ts'
import { publicationsOfSite } from './publications.repository.ts'
import * as fonts from '../fonts/fonts.repository.ts'
import { presentFont } from '../fonts/present-font.ts'
import { presentSpace, presentToVisitor } from '../spaces/present-space.ts'
import { shownSpaces } from '../spaces/shown-spaces.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { loadFileIndex } from '../pages/revision-index.ts'
import { searchShownSpaces } from '../search/search-shown-spaces.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import * as revisions from '../revisions/revisions.repository.ts'

/** The template of a space that a new site starts with. */
const sampleTemplate = 'product-docs'

/** The slug of the specification that a new organization starts with. */
const specificationSlug = 'api'

/** Writes the pages that a new space of a site starts with, and returns the id of the last revision. */
async function fillNewSpace(
  tx: Transaction,
  space: SpaceRow,
  {
    pages,
    specification,
  }: { pages: Parameters<typeof fillSpace>[2] | undefined; specification: { slug: string } | undefined },
): Promise<string> {
  const revision = pages ? await fillSpace(tx, space, pages) : space.revision
  if (!specification) return revision
  const ref = { kind: 'openapi' as const, spec: specification.slug }
  const source = { type: 'builtin:openapi' as const, props: { models: true }, dependencies: { spec: { ref } } }
  return fillWithComputed(tx, { ...space, revision }, source)
}

export const siteContentCallFeature = feature<BaseContext>()(siteContentCalls, {
  async describeSpaces({ body: { actor, organization, spaces: ids, onSite } }, { db, publicUrl }) {
    const { visitor } = actor
    if (visitor) {
      const visibleIds = visitor.organization === organization ? ids.filter(id => visitor.spaces.includes(id)) : []
      const spaceRows = await spaces.findUndeleted(db, organization, visibleIds)
      const places = await publicationsOfSite(db, visitor.site)
      return {
        spaces: spaceRows.map(space => ({
          space: presentToVisitor(space, { visitor, publication: places.get(space.id) ?? null, publicUrl }),
          role: 'read',
        })),
      }
    }
    const viewer = viewerIn(actor, organization)
    const spaceRows = await spaces.findReadable(db, viewer, ids)
    const covered = new Set(spaceRows.map(({ id }) => id))
    const others = onSite && viewer.limitedTo ? ids.filter(id => !covered.has(id)) : []
    const ofOwner = others.length > 0 ? await spaces.findReadable(db, { ...viewer, limitedTo: undefined }, others) : []
    return {
      spaces: [
        ...spaceRows.map(space => ({
          space: presentSpace(space, accessFromList(actor, space), publicUrl),
          role: space.role,
        })),
        // The site is the token's, with the names of what it shows; what is in the spaces is not.
        ...ofOwner.map(space => ({
          space: presentToVisitor(space, { visitor: {}, publication: null, publicUrl }),
          role: 'read' as const,
        })),
      ],
    }
  },

  async createSpaceOfSite({ body: { actor, organization, title, sample, template, openapiUrl: url } }, context) {
    const pages = template
      ? await templatePages(template, organization, { ...context, actor })
      : sample
        ? await readTemplate(context, { id: sampleTemplate, field: 'body.spaces' }, {})
        : undefined
    const create = { actor, organization, slug: specificationSlug }
    const specification =
      url === undefined ? undefined : await context.specs.createSpecification({ body: { ...create, url } })
    const fill =
      (pages ?? specification) &&
      ((tx: Transaction, space: SpaceRow) => fillNewSpace(tx, space, { pages, specification }))
    const { space, access } = await context.transaction(tx =>
      createSpace(tx, actor, { organization, settings: { title, editMode: 'live' }, fill }),
    )
    return { space: presentSpace(space, access, context.publicUrl) }
  },

  async duplicateSpaceOfSite({ body: { actor, organization, space: id } }, context) {
    const [source] = await spaces.findReadable(context.db, viewerIn(actor, organization), [id])
    if (!source) throw new Failure('not_found', 'There is no such space')
    const copy = await context.transaction(tx => duplicateSpace(tx, actor, id))
    return { space: presentSpace(copy, resolveAccess(actor, copy), context.publicUrl) }
  },

  async checkReferences({ body: { actor, organization, references } }, { db }) {
    const ids = [...new Set(references.map(({ space }) => space))]
    const spacesOfActor = await shownSpaces(db, { actor, organization, ids })
    const contents = new Map<string, Targets>()
    for (const { id, revision } of spacesOfActor) contents.set(id, await targetsIn({ db, actor }, revision))
    return {
      missing: references.flatMap(({ space, kind, id }, at) => (contents.get(space)?.[kind].get(id) ? [] : [at])),
    }
  },

  async checkTargets({ body: { actor, organization, targets } }, context) {
    const missing: number[] = []
    for (const [at, target] of targets.entries())
      if (!(await isTargetThere(target, { ...context, actor }, organization))) missing.push(at)
    return { missing }
  },

  async describeFonts({ body: { organization, fonts: ids } }, { db, ...context }) {
    const rows = await fonts.list(db, organization, ids)
    return { fonts: rows.map(row => presentFont(row, { canEdit: false }, context)) }
  },

  async findPages({ body: { actor, organization, places } }, { db }) {
    return { pages: await findPages({ db, actor }, organization, places) }
  },

  async searchSpaces({ body, query }, context) {
    return searchShownSpaces(context, { ...body, ...query })
  },

  async resolvePreview({ body }, { db }) {
    return resolvePreview(db, body)
  },
})

type Targets = Record<'page' | 'file', { get(id: string): unknown }>

/** The possible targets of references in a revision, as an actor sees it; a visitor sees the files that settings of the site link to. */
async function targetsIn(context: Pick<Context, 'db' | 'actor'>, id: string): Promise<Targets> {
  const revision = await revisions.get(context.db, id)
  return { page: await visiblePages(context, revision), file: await loadFileIndex(context.db, revision.filesRoot) }
}
