import { lstat, readdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Looks whether an export can be written into a folder, without making it: an export that fails leaves nothing behind. Throws for one that
 * has entries, and for what is no folder or below none.
 */
export async function checkOutput(folder: string): Promise<void> {
  const entry = await stat(folder).catch(() => undefined)
  if (entry?.isDirectory()) {
    const entries = await readdir(folder)
    if (entries.length > 0) throw new Error(`OUT is not empty: ${folder}. Name a new or an empty folder`)
    return
  }
  if (entry) throw new Error(`OUT is a file: ${folder}. Name a new or an empty folder`)
  const link = await lstat(folder).catch(() => undefined)
  if (link) throw new Error(`OUT is a link that leads nowhere: ${folder}. Name a new or an empty folder`)
  const above = dirname(resolve(folder))
  if (above !== resolve(folder)) await checkAbove(above, folder)
}

async function checkAbove(path: string, folder: string): Promise<void> {
  const entry = await stat(path).catch(() => undefined)
  if (entry?.isDirectory()) return
  if (entry || dirname(path) === path) throw new Error(`OUT is below a file: ${folder}. ${path} is no folder`)
  await checkAbove(dirname(path), folder)
}
