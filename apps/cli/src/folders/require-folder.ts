import { stat } from 'node:fs/promises'
import { UsageFailure } from '../terminal/command.ts'

/** Throws `UsageFailure` for what is no folder. */
export async function requireFolder(folder: string): Promise<void> {
  const entry = await stat(folder).catch(() => undefined)
  if (!entry) throw new UsageFailure(`There is no folder ${folder}`)
  if (!entry.isDirectory()) throw new UsageFailure(`${folder} is a file, and no folder`)
}
