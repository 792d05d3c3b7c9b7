import { createHash } from 'node:crypto'
import { hiddenPageIds, visiblePageIds } from '@recto/audience'
import {
  type FileSource,
  type LoadedRepository,
  loadRepository,
  lookupOf,
  type ManifestPage,
  type PageCache,
  type PlacedPage,
  repositoryId,
  type RepositoryLookup,
} from '@recto/repository-content'
import type { FolderSpace } from '../folders/site-file.rules.ts'

/** A space as a folder has it at one moment: what everybody may see of it. */
export interface SpaceContent {
  space: FolderSpace
  /** The id of the space, which follows from its slug. */
  id: string
  /** The id of the revision: another one when anything has changed. */
  revision: string
  repository: LoadedRepository
  /** The lookup of it, by what everybody may see. */
  content: RepositoryLookup
  /** Ids and paths of entries. */
  placeOf: ReadonlyMap<ManifestPage, PlacedPage>
  /** The entries that a visitor without claims sees, by id. */
  visible: ReadonlyMap<string, PlacedPage>
  isVisible(page: ManifestPage): boolean
  read(path: string): Promise<Uint8Array>
}

/** No URL is one of it: a folder belongs to no installation. */
const noAddress = 'recto:'

/** Reads a space of a folder. Throws `ImportFailure` where an import would fail. */
export async function loadSpace(source: FileSource, space: FolderSpace, cache?: PageCache): Promise<SpaceContent> {
  const repository = await loadRepository(source, { project: space.path, ...(cache && { cache }) })
  const { manifest } = repository
  const id = repositoryId('page', `space\0${space.slug}`)
  const lookup = lookupOf(manifest, { spaceId: id, publicUrl: noAddress })
  const { entries } = lookup
  const placeOf = new Map(entries.map(entry => [entry.page, entry]))
  const visible = visibleEntries(entries, repository)
  const onlyVisible = (page: { id: string } | undefined) => page && visible.get(page.id)
  return {
    space,
    id,
    revision: revisionOf(repository, space),
    repository,
    content: {
      ...lookup,
      page: pageId => onlyVisible(lookup.page(pageId)),
      pageByPath: path => onlyVisible(lookup.pageByPath(path)),
      pageByFile: file => onlyVisible(lookup.pageByFile(file)),
    },
    placeOf,
    visible,
    isVisible: page => visible.has(placeOf.get(page)?.id ?? ''),
    read: source.read,
  }
}

/** The entries that a visitor without claims sees. */
function visibleEntries(
  entries: readonly PlacedPage[],
  { manifest: { variables } }: LoadedRepository,
): Map<string, PlacedPage> {
  const pages = entries.map(({ id, parent, page }) => ({
    id,
    parent,
    type: page.type,
    condition: page.condition,
    variables: variablesOf(page),
  }))
  const visible = visiblePageIds(pages, hiddenPageIds(pages, { claims: {}, variables }))
  return new Map(entries.flatMap(entry => (visible.has(entry.id) ? [[entry.id, entry]] : [])))
}

/** The variables of an entry; those that are no documents have none. */
const variablesOf = (page: ManifestPage) => ('variables' in page ? page.variables : undefined) ?? {}

function revisionOf({ manifest, texts }: LoadedRepository, space: FolderSpace): string {
  const hash = createHash('sha256').update(JSON.stringify([space, manifest]))
  for (const [path, text] of texts) hash.update(`\0${path}\0${text}`)
  return hash.digest('hex').slice(0, 20)
}

/** The values that expressions of a page can name, for a visitor without claims. */
export function scopeOf({ repository }: SpaceContent, variables: Record<string, unknown>) {
  return { space: { vars: repository.manifest.variables }, page: { vars: variables }, visitor: { claims: {} } }
}
