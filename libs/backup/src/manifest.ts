import { z } from 'zod'

/** The version of the format of backups. */
const format = 1

const table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  /** Lines of the file, which are the rows of the table. */
  rows: z.number().int(),
  /** SHA-256 of the compressed file. */
  sha256: z.string(),
})

const database = z.object({
  name: z.string(),
  /** The migrations that had run: the schema that the rows fit. */
  migrations: z.array(z.string()),
  tables: z.array(table),
  /** The last value of each sequence that was used. */
  sequences: z.record(z.string(), z.string()),
})

const manifest = z.object({
  format: z.literal(format),
  name: z.string(),
  /** The instant at which all databases were read. */
  takenAt: z.iso.datetime(),
  databases: z.array(database),
  /** The blobs of each store, which a file names; absent when they were left out. */
  blobs: z.array(z.object({ store: z.string(), count: z.number().int(), sha256: z.string() })).optional(),
})

/** A table in a backup. */
export type TableCopy = z.output<typeof table>
/** A database in a backup. */
export type DatabaseCopy = z.output<typeof database>
/** The list of a backup's parts; it is written last, so that a folder without one is a backup that was not finished. */
export type Manifest = z.output<typeof manifest>

/** Makes a manifest of the current format. */
export function newManifest(parts: Omit<Manifest, 'format'>): Manifest {
  return { format, ...parts }
}

/** Parses a manifest; throws a `ZodError` for one of another format. */
export function parseManifest(text: string): Manifest {
  return manifest.parse(JSON.parse(text))
}
