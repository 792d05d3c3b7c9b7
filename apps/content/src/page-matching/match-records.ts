import type { FileRecord, ReusableRecord } from '../revisions/records.ts'

/** The path of a record in its repository, also of a file that was replaced or uploaded in Recto. */
function repositoryPath(record: FileRecord | ReusableRecord): string | undefined {
  return record.git?.path ?? ('file' in record ? record.file : undefined)
}

/**
 * Assigns ids to the files, or reusable contents, of an import: the id of the previous record with the same path in the repository, then
 * that of the only remaining record with the same content, else a new id. Of several items with the same content, the first gets the id.
 */
export function assignRecordIds<T extends FileRecord | ReusableRecord>(
  records: Omit<T, 'id'>[],
  previous: T[],
  options: { hashOf(item: Omit<T, 'id'>): string; newId(): string },
): T[] {
  const free = new Map(previous.map(record => [record.id, record]))
  const byPath = new Map(previous.map(record => [repositoryPath(record), record]))
  const ids = new Map<Omit<T, 'id'>, string>()
  const take = (item: Omit<T, 'id'>, record: T | undefined): void => {
    if (record && !ids.has(item) && free.delete(record.id)) ids.set(item, record.id)
  }
  for (const item of records) if (item.git) take(item, byPath.get(item.git.path))
  const byHash = new Map<string, T[]>()
  for (const record of free.values())
    byHash.set(options.hashOf(record), [...(byHash.get(options.hashOf(record)) ?? []), record])
  for (const item of records) {
    const same = byHash.get(options.hashOf(item)) ?? []
    if (same.length === 1) take(item, same[0])
  }
  return records.map(item => ({ ...item, id: ids.get(item) ?? options.newId() }) as T)
}
