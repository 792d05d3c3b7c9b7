import type { MarkdownTasks } from '@recto/markdown'
import type { ManifestPage, PageCache } from '@recto/repository-content'
import type { WorkerPool } from '@recto/worker-pool'
import { openFolder } from '../folders/open-folder.ts'
import type { PreparedPage } from '@recto/text'
import { indexPages } from './index-pages.ts'
import { loadSpace, type SpaceContent } from './space-content.ts'
import type { SpaceText } from './documents.ts'

/** The site of a folder at one moment. */
export interface SiteState {
  title: string
  spaces: SpaceContent[]
}

/** Threads that parse Markdown for a site. */
export type SiteThreads = Pick<WorkerPool<Pick<MarkdownTasks, 'document' | 'outlines'>>, 'run'>

/** Revisions that are kept for pages which are still being read. */
const keptRevisions = 10

/** Pages of which it is kept what they say, those of old states among them. */
const maxCachedPages = 20_000

/** A folder as a site, which follows its changes. */
export interface FolderSiteSource {
  state(): SiteState
  /** A space at one of its last revisions. */
  space(id: string, revision?: string): SpaceContent | undefined
  /** Reads the folder again. Throws where it cannot be read, and the site stays as it was. */
  reload(): Promise<void>
  /** The pages of a space, for searches. */
  index(space: SpaceContent): Promise<PreparedPage[]>
}

/** Opens a folder as a site. */
export async function openSite(folder: string, threads: SiteThreads): Promise<FolderSiteSource> {
  const cache: PageCache = new Map()
  let state = await readState(folder, cache)
  const revisions = new Map<string, SpaceContent>()
  const indexes = new WeakMap<SpaceContent, Promise<PreparedPage[]>>()
  const keep = () => {
    for (const space of state.spaces) revisions.set(`${space.id} ${space.revision}`, space)
    const surplus = revisions.size - keptRevisions * state.spaces.length
    for (const key of [...revisions.keys()].slice(0, Math.max(0, surplus))) revisions.delete(key)
  }
  keep()
  return {
    state: () => state,
    space: (id, revision) =>
      revision === undefined ? state.spaces.find(space => space.id === id) : revisions.get(`${id} ${revision}`),
    async reload() {
      // Pages that are not changed are not read again.
      if (cache.size > maxCachedPages) cache.clear()
      state = await readState(folder, cache)
      keep()
    },
    index(space) {
      const index = indexes.get(space) ?? indexPages(space, threads)
      indexes.set(space, index)
      return index
    },
  }
}

async function readState(folder: string, cache: PageCache): Promise<SiteState> {
  const { source, site } = await openFolder(folder)
  const spaces: SpaceContent[] = []
  for (const space of site.spaces) spaces.push(await loadSpace(source, space, cache))
  return { title: site.title, spaces }
}

/** The text of a page by its id; undefined for a page that nobody sees. */
export function textOfPage(space: SpaceContent, id: string): SpaceText | undefined {
  const page = space.visible.get(id)?.page
  return page?.type === 'document' ? pageText(page, id) : undefined
}

function pageText(page: Extract<ManifestPage, { type: 'document' }>, id: string): SpaceText {
  return { file: page.git?.path ?? '', title: page.title, page: id, variables: page.variables ?? {} }
}

/** The text of a reusable content by its id. */
export function textOfReusable({ content }: SpaceContent, id: string): SpaceText | undefined {
  const reusable = content.reusable(id)?.content
  return reusable && { file: reusable.git.path, title: reusable.title, page: '', variables: {} }
}
