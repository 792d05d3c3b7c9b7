import type { ContentLocation, ContentReferenceUsage } from '@recto/contracts'
import type { z } from 'zod'
import type { EffectiveAccess } from '../../access/access.policy.ts'
import { presentSpace } from '../../hierarchy/spaces/present-space.ts'
import type { ReadableSpace } from '../../hierarchy/spaces/spaces.policy.ts'
import { contentLookup } from '../../pages/content-lookup.ts'
import type { PageIndex } from '../../pages/page-tree.ts'
import { presentFile, presentPage, presentReusable, type Presentation } from '../../pages/present-page.ts'
import { loadFileIndex, loadPageIndex, loadReusableContents, type FileIndex } from '../../pages/revision-index.ts'
import { groupBy } from '../../shared/group-by.ts'
import type { Context } from '../../shared/context.ts'
import type { ReusableRecord } from '../../store/revisions/records.ts'
import * as revisions from '../../store/revisions/revisions.repository.ts'
import type { ContentReferenceRow, ReferenceLocation } from './content-reference.entity.ts'
import { relationOf } from './references.rules.ts'

type Location = z.input<typeof ContentLocation>
type Usage = z.input<typeof ContentReferenceUsage>

/** The content of a space that references are read from: that of the revision which its projections show. */
export interface LinkedContent {
  pages: PageIndex
  files: FileIndex
  reusable: ReusableRecord[]
  /** Folder of the content in its repository. */
  root: string
}

/** The content of the revision that references belong to; undefined when it is gone. */
export async function linkedContent({ db }: Context, revisionId: string): Promise<LinkedContent | undefined> {
  const revision = await revisions.find(db, revisionId)
  if (!revision) return undefined
  const [pages, files, reusable] = await Promise.all([
    loadPageIndex(db, revision),
    loadFileIndex(db, revision.filesRoot),
    loadReusableContents(db, revision.reusableRoot),
  ])
  return { pages, files, reusable, root: revision.configuration?.root ?? '' }
}

/** Presents places of a space's content with whole objects. */
export interface LocationPresenter {
  usage(row: ContentReferenceRow): Usage
  page(id: string, location?: ReferenceLocation): Location
}

/** Reads what every location of a space embeds, once however many locations there are; one call to identity. */
export async function locationPresenter(
  context: Context,
  { space, access }: Pick<ReadableSpace, 'space'> & { access: EffectiveAccess },
  content: LinkedContent,
): Promise<LocationPresenter> {
  const { publicUrl, signingSecret, actor } = context
  const ids = [space.organizationId]
  const { organizations } = await context.people.describeOrganizations({ body: { actor, organizations: ids } })
  const [organization] = organizations
  if (!organization) throw new Error(`The organization of space ${space.id} is gone`)
  const placed = { organization, space: presentSpace(space, access, publicUrl) }
  const presentation: Presentation = {
    ...{ spaceId: space.id, publicUrl, signingSecret, metadata: true },
    content: contentLookup(content, { spaceId: space.id, publicUrl }),
  }
  // Each page would otherwise repeat the whole tree below it.
  const flat = { childrenOf: () => [], pathOf: (id: string) => content.pages.pathOf(id) }
  const reusable = new Map(content.reusable.map(item => [item.id, item]))

  const page = (id: string, { anchor }: ReferenceLocation = {}): Location => {
    const record = content.pages.get(id)
    if (!record) throw new Error(`Page ${id} is not in the projected revision`)
    const internal = anchor === undefined ? {} : { internalLocation: { type: 'anchor' as const, anchor } }
    return { kind: 'page', ...placed, page: presentPage(record, flat, presentation), ...internal }
  }
  const target = ({ reference, targetKind, targetId, targetAnchor }: ContentReferenceRow): Location | undefined => {
    if (reference?.kind === 'url') return { kind: 'url', url: reference.url }
    if (reference?.kind === 'space') return { kind: 'space', ...placed }
    if (targetId === null) return undefined
    if (targetKind === 'page') return page(targetId, targetAnchor === null ? {} : { anchor: targetAnchor })
    const file = targetKind === 'file' ? content.files.get(targetId) : undefined
    if (file) return { kind: 'file', ...placed, file: presentFile(file, presentation) }
    const item = targetKind === 'reusable-content' ? reusable.get(targetId) : undefined
    return item && { kind: 'reusable-content', ...placed, reusableContent: presentReusable(item, presentation) }
  }
  return {
    page,
    usage: row => {
      const found = row.status === 'broken' ? undefined : target(row)
      // A page that refers to the target in several sections has a location for each of them.
      const places = [...groupBy(row.locations, ({ anchor }) => anchor).values()].flatMap(([first]) => first ?? [])
      return {
        status: row.status,
        relation: relationOf(row.kind),
        ...(found && { targetReference: found }),
        locationReferences: places.map(location => page(row.pageId, location)),
      }
    },
  }
}
