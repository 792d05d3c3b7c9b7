import { rm } from 'node:fs/promises'

/** Deletes a folder with all in it, also while a process that was just told to end still writes to it: then it is tried again for a few seconds. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
