import type { FileSource } from '@recto/repository-content'

/** Files in memory, by their paths. */
export function aSource(files: Record<string, string | Buffer>, skipped: FileSource['skipped'] = []): FileSource {
  const contents = new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]))
  return {
    files: [...contents].map(([path, { length }]) => ({ path, size: length })),
    skipped,
    read: async path => contents.get(path) ?? Buffer.alloc(0),
  }
}
