import { entrySettings, type RevisionSnapshot } from '@recto/contracts-git-worker-bus'
import type { Db } from '@recto/database'
import { isBelow } from '@recto/repository-format'
import type { z } from 'zod'
import { filePath, folderBelow, joinPath, pageFile, reusableFile } from '../pages/repository-files.ts'
import { loadFileIndex, loadPageIndex, loadReusableContents } from '../pages/revision-index.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { GitCommit, RevisionRow } from '../revisions/revision.entity.ts'

type State = z.input<typeof RevisionSnapshot>['state']

/** The content of a revision as an export needs it, with paths below its root. */
export async function stateOf(db: Db, revision: RevisionRow): Promise<State> {
  const root = revision.configuration?.root ?? ''
  const below = (path: string) => belowRoot(path, root)
  const pages = await loadPageIndex(db, revision)
  const files = await loadFileIndex(db, revision.filesRoot)
  const reusable = await loadReusableContents(db, revision.reusableRoot)
  return {
    wasInRepository: revision.configuration !== null,
    pages: pages
      .inOrder()
      .map(page => exportedPage(page, { below, get: id => pages.get(id), root, kept: revision.git?.kept })),
    files: files.inOrder.map(file => ({
      id: file.id,
      hash: file.hash,
      path: below(filePath(file)),
      name: file.name,
      ...(file.git && { oid: file.git.oid }),
    })),
    reusableContents: reusable.map(record => ({
      id: record.id,
      hash: record.document,
      path: below(reusableFile(record)),
      ...(record.git && { oid: record.git.oid }),
    })),
    variables: revision.variables,
    redirects: revision.configuration?.redirects ?? {},
    ...(revision.configuration?.tags && { tags: revision.configuration.tags }),
    settings: revision.git?.hasAllSettings ? 'all' : 'some',
  }
}

function belowRoot(path: string, root: string): string {
  return root !== '' && isBelow(path, root) ? path.slice(root.length + 1) : path
}

interface Place {
  below(path: string): string
  get(id: string): PageRecord | undefined
  root: string
  kept: GitCommit['kept']
}

function exportedPage(page: PageRecord, { below, get, root, kept }: Place): State['pages'][number] {
  const { id, parent, type, title, document, git, href, computed } = page
  const file = pageFile(page)
  const keptText = kept?.[id]
  const preferredPath = joinPath(
    folderBelow(parent === null ? undefined : get(parent), root),
    `${page.slug ?? 'page'}.md`,
  )
  return {
    id,
    parent,
    type,
    title,
    ...(file === undefined ? { wantedPath: below(preferredPath) } : { path: below(file) }),
    ...(document !== undefined && { hash: document }),
    ...(git && { oid: git.oid }),
    ...(href !== undefined && { href }),
    ...(computed && { computed: computed as NonNullable<State['pages'][number]['computed']> }),
    settings: settingsOutsideMarkdown(page),
    ...(keptText && keptText.document !== document && { committedOid: keptText.oid }),
  }
}

/** The settings that the Markdown file of a page cannot hold: slug and emoji if the page has a file, otherwise all that are set except the title. */
function settingsOutsideMarkdown(page: PageRecord): Record<string, string | boolean> {
  const hasFile = page.type === 'document' && (pageFile(page) !== undefined || page.document !== undefined)
  const names = Object.keys(hasFile ? { slug: true, emoji: true } : entrySettings)
  const values = names.filter(name => name !== 'title').map(name => [name, page[name as keyof PageRecord]] as const)
  // A flag that is false is not written.
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== false)) as Record<
    string,
    string | boolean
  >
}
