import { joinInside } from '@recto/repository-format'
import {
  outlineOfFolders,
  outlineOfSummary,
  readSummary,
  type Configuration,
  type OutlineEntry,
} from '@recto/repository-content'
import type { ContentsEntry } from './contents.ts'
import { pageRecords, type ContentState } from './export-content.ts'

/** Removes pages whose files the branch has deleted from an entry; the pages below them stay. */
export function withExistingFiles(entry: ContentsEntry, files: ReadonlySet<string>): ContentsEntry[] {
  const children = entry.children.flatMap(child => withExistingFiles(child, files))
  if (entry.path === undefined || files.has(entry.path)) return [{ ...entry, children }]
  const { path: _path, ...rest } = entry
  return children.length === 0 ? [] : [{ ...rest, kind: 'text', keepsTitle: false, children }]
}

/** The table of contents of a revision. */
export function entriesOf(
  { pages }: ContentState,
  { root, paths, before }: { root: string; paths?: ReadonlyMap<string, string>; before?: ContentState | undefined },
): ContentsEntry[] {
  const titles = new Map((before?.pages ?? []).map(({ id, title }) => [id, title]))
  const below = new Map<string | null, ContentsEntry[]>([[null, []]])
  const records = new Map(pages.flatMap(pageRecords).map(record => [record.id, record]))
  for (const { id, parent, type, title, href, computed } of pages) {
    const record = records.get(id)
    const path = record && (paths?.get(id) ?? joinInside(root, record.path))
    const kind: ContentsEntry['kind'] = type === 'document' ? (path === undefined ? 'text' : 'page') : type
    const children: ContentsEntry[] = []
    const entry: ContentsEntry = {
      key: id,
      kind,
      title,
      keepsTitle: titles.get(id) === title,
      children,
      ...(path !== undefined && { path }),
      ...(href !== undefined && { href }),
      ...(computed !== undefined && { computed }),
    }
    below.get(parent)?.push(entry)
    below.set(id, children)
  }
  return below.get(null) ?? []
}

/** Reads a table of contents as an import does. */
export function outlineOf(
  text: string | undefined,
  {
    files,
    configuration,
  }: { files: { has(path: string): boolean; keys(): Iterable<string> }; configuration: Configuration },
): OutlineEntry[] {
  const { root, summary, readme } = configuration
  if (text === undefined) return outlineOfFolders([...files.keys()], { root, readme }).entries
  return outlineOfSummary(readSummary(text, summary), { path: summary, root, has: path => files.has(path) }).entries
}
