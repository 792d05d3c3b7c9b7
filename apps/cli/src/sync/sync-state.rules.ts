import { parseJson } from '@recto/text'
import { z } from 'zod'
import { UsageFailure } from '../terminal/command.ts'

const Oid = z.string().regex(/^[0-9a-f]{40}$/)

/** The state of a folder that was pulled. */
export const SyncState = z.object({
  version: z.literal(1),
  api: z.string(),
  space: z.string(),
  revision: z.string(),
  /** The change request that the folder follows; main content without. */
  changeRequest: z.object({ id: z.string(), number: z.number() }).optional(),
  /** The git object of each file as it was pulled. */
  files: z.record(z.string(), Oid),
  /** The path of each page, file and reusable content by its id. */
  paths: z.record(z.string(), z.string()),
})

/** Which revision a folder was pulled from, and what was written. */
export type SyncState = z.output<typeof SyncState>

/** Parses the state of a folder. Throws `UsageFailure` for what is none. */
export function parseState(text: string): SyncState {
  const state = SyncState.safeParse(parseJson(text))
  if (!state.success)
    throw new UsageFailure('.recto/state.json cannot be read: delete the folder .recto to begin again')
  return state.data
}
