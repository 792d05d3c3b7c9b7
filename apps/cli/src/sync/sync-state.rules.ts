import { z } from 'zod'

const Oid = z.string().regex(/^[0-9a-f]{40}$/)

/** The state of a folder that was pulled. */
export const SyncState = z.object({
  version: z.literal(1),
  api: z.string(),
  space: z.string(),
  revision: z.string(),
  /** The git object of each file as it was pulled. */
  files: z.record(z.string(), Oid),
  /** The path of each page, file and reusable content by its id. */
  paths: z.record(z.string(), z.string()),
})

/** Which revision a folder was pulled from, and what was written. */
export type SyncState = z.output<typeof SyncState>
