import { downloadIssuedFor } from '@recto/actor/site-version'
import type { ContentLocation, ContentReferenceUsage } from '@recto/contracts-content'
import type { z } from 'zod'
import type { EffectiveAccess } from '../access/access.policy.ts'
import { presentSpace } from '../spaces/present-space.ts'
import type { ReadableSpace } from '../spaces/spaces.policy.ts'
import { contentLookup } from '../pages/content-lookup.ts'
import { presentFile, presentPage, presentReusable, type Presentation } from '../pages/present-page.ts'
import { loadFileIndex, loadReusableContents } from '../pages/revision-index.ts'
import { loadShownPages } from '../pages/shown-pages.ts'
import type { Context } from '../shared/context.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import type { ContentReferenceRow, ReferenceLocation } from './content-reference.entity.ts'
import { maxPlacesOfTarget, type ReferencedTarget } from './reference-lists.repository.ts'
import type { ResolvingContent } from './reference-rows.ts'
import { relationOf } from './target-key.rules.ts'
import { applicationLocations } from './application-locations.ts'
import { batches } from '../lists/batches.ts'

type Location = z.input<typeof ContentLocation>
type Usage = z.input<typeof ContentReferenceUsage>

/** Specifications that one call asks for. */
const describeBatchSize = 100

/** Loads the content of a revision, against which references are resolved. */
export async function loadResolvingContent(
  { db, publicUrl }: Pick<Context, 'db' | 'publicUrl'>,
  revision: RevisionRow,
): Promise<ResolvingContent> {
  const { spaceId, configuration } = revision
  const [pages, files, reusable] = await Promise.all([
    loadShownPages(db, revision),
    loadFileIndex(db, revision.filesRoot),
    loadReusableContents(db, revision.reusableRoot),
  ])
  const root = configuration?.root ?? ''
  return {
    pages,
    files,
    reusable,
    lookup: contentLookup({ pages, files, reusable, root }, { spaceId, publicUrl }),
  }
}

/** Presents references and their places in a space's content, with whole pages, files and reusable contents. */
export interface LocationPresenter {
  usage(target: ReferencedTarget): Usage
  source(of: Pick<ContentReferenceRow, 'sourceKind' | 'sourceId'>, location?: ReferenceLocation): Location
}

async function organizationOf({ id, organizationId }: ReadableSpace['space'], { actor, people }: Context) {
  const body = { actor, organizations: [organizationId], hidesSettings: true }
  const { organizations } = await people.describeOrganizations({ body })
  const [organization] = organizations
  if (!organization) throw new Error(`The organization of space ${id} is gone`)
  return organization
}

/** The sections that have references, each once: a page may spell a target in several ways. A reusable content counts as one section. */
function sectionsOf(rows: ContentReferenceRow[]): [ContentReferenceRow, ReferenceLocation][] {
  const sections = new Map<string, [ContentReferenceRow, ReferenceLocation]>()
  for (const row of rows)
    for (const location of row.locations) {
      const key = JSON.stringify([row.sourceId, row.sourceKind === 'page' && location.anchor])
      if (!sections.has(key)) sections.set(key, [row, location])
    }
  return [...sections.values()].slice(0, maxPlacesOfTarget)
}

type OpenAPISpec = Extract<Location, { kind: 'openapi' }>['openAPISpec']

/** Loads the specifications that references lead to and that the caller sees, by slug, in as few calls as possible. */
async function loadSpecs(
  rows: ContentReferenceRow[],
  { context, organization }: { context: Context; organization: string },
): Promise<Map<string, OpenAPISpec>> {
  const specSlugs = rows.flatMap(({ reference, status }) =>
    reference?.kind === 'openapi' && status === 'ok' ? [reference.spec] : [],
  )
  const slugs = [...new Set(specSlugs)]
  const specs = new Map<string, OpenAPISpec>()
  for (const batch of batches(slugs, describeBatchSize)) {
    const body = { actor: context.actor, organization, slugs: batch }
    for (const spec of (await context.specs.describeSpecs({ body })).specs) specs.set(spec.slug, spec)
  }
  return specs
}

function presentationOf(
  spaceId: string,
  { lookup: content }: ResolvingContent,
  { publicUrl, signingSecret, actor }: Context,
): Presentation {
  const issuedFor = downloadIssuedFor(actor.visitor)
  return { spaceId, publicUrl, signingSecret, metadata: true, issuedFor, content }
}

/** Loads the objects that all locations of a space embed, once however many locations there are, with one call to identity. */
export async function locationPresenter(
  context: Context,
  { space, access }: Pick<ReadableSpace, 'space'> & { access: EffectiveAccess },
  { content, rows = [] }: { content: ResolvingContent; rows?: ContentReferenceRow[] },
): Promise<LocationPresenter> {
  const { publicUrl } = context
  const organization = await organizationOf(space, context)
  const specs = await loadSpecs(rows, { context, organization: organization.id })
  const owner = { organization, space: presentSpace(space, access, publicUrl) }
  const presentation = presentationOf(space.id, content, context)
  const applicationTargets = await applicationLocations(rows, { organization, presentation }, context)
  // Without its subpages: each page would otherwise repeat the whole tree below it.
  const flat = { childrenOf: () => [], pathOf: (id: string) => content.pages.pathOf(id) }
  const reusable = new Map(content.reusable.map(item => [item.id, item]))

  const page = (id: string, anchor?: string | null): Location => {
    const record = content.pages.get(id)
    if (!record) throw new Error(`Page ${id} is not in the content`)
    const internal = anchor == null ? {} : { internalLocation: { type: 'anchor' as const, anchor } }
    return { kind: 'page', ...owner, page: presentPage(record, flat, presentation), ...internal }
  }
  const reusableContent = (id: string): Location | undefined => {
    const record = reusable.get(id)
    return record && { kind: 'reusable-content', ...owner, reusableContent: presentReusable(record, presentation) }
  }
  const target = ({ reference, targetKind, targetId, targetAnchor }: ContentReferenceRow): Location | undefined => {
    if (reference?.kind === 'url') return applicationTargets.get(reference.url) ?? { kind: 'url', url: reference.url }
    if (reference?.kind === 'openapi') {
      const openAPISpec = specs.get(reference.spec)
      return openAPISpec && { kind: 'openapi', organization, openAPISpec }
    }
    if (reference?.kind === 'space') return { kind: 'space', ...owner }
    if (targetId === null) return undefined
    if (targetKind === 'page') return page(targetId, targetAnchor)
    if (targetKind === 'reusable-content') return reusableContent(targetId)
    const file = content.files.get(targetId)
    return file && { kind: 'file', ...owner, file: presentFile(file, presentation) }
  }
  const source: LocationPresenter['source'] = ({ sourceKind, sourceId }, { anchor } = {}) => {
    if (sourceKind === 'page') return page(sourceId, anchor)
    const location = reusableContent(sourceId)
    if (!location) throw new Error(`Reusable content ${sourceId} is not in the content`)
    return location
  }
  return {
    source,
    usage: ({ status, places }) => {
      const [first] = places
      if (!first) throw new Error('A target has no place')
      const reference = status === 'broken' ? undefined : target(first)
      return {
        status,
        relation: relationOf(first.kind),
        ...(reference && { targetReference: reference }),
        locationReferences: sectionsOf(places).map(([row, location]) => source(row, location)),
      }
    },
  }
}
