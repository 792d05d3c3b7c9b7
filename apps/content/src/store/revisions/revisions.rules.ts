import { emptyRoot } from '../content-map/content-map.ts'
import type { FileRecord, ReusableRecord } from './records.ts'
import type { RevisionRow } from './revision.entity.ts'

/** The revision a space begins with. */
export function emptyRevision({
  id,
  spaceId,
  createdBy,
}: {
  id: string
  spaceId: string
  createdBy: string
}): RevisionRow {
  return {
    id,
    spaceId,
    type: 'edits',
    parents: [],
    pagesRoot: emptyRoot,
    filesRoot: emptyRoot,
    reusableRoot: emptyRoot,
    variables: {},
    git: null,
    createdBy,
    createdAt: new Date(),
  }
}

/** Whether two revisions hold the same content from the same commit: then the second need not be made. */
export function isSameContent(a: RevisionRow, b: RevisionRow): boolean {
  const content = (row: RevisionRow) =>
    JSON.stringify([row.pagesRoot, row.filesRoot, row.reusableRoot, row.variables, row.git?.oid])
  return content(a) === content(b)
}

/** Gives files, or reusable contents, the ids they had before: by path in the repository, then by content where that is unique. */
export function matchByPath<T extends FileRecord | ReusableRecord>(
  found: Omit<T, 'id'>[],
  previous: T[],
  options: { hashOf(item: Omit<T, 'id'>): string; newId(): string },
): T[] {
  const free = new Map(previous.map(record => [record.id, record]))
  const byPath = new Map(previous.map(record => [record.git?.path, record]))
  const ids = new Map<Omit<T, 'id'>, string>()
  const take = (item: Omit<T, 'id'>, record: T | undefined): void => {
    if (record && !ids.has(item) && free.delete(record.id)) ids.set(item, record.id)
  }
  for (const item of found) if (item.git) take(item, byPath.get(item.git.path))
  const byHash = new Map<string, T[]>()
  for (const record of free.values())
    byHash.set(options.hashOf(record), [...(byHash.get(options.hashOf(record)) ?? []), record])
  for (const item of found) {
    const same = byHash.get(options.hashOf(item)) ?? []
    if (same.length === 1) take(item, same[0])
  }
  return found.map(item => ({ ...item, id: ids.get(item) ?? options.newId() }) as T)
}
