import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder, and those above it, where they are missing. Throws as `mkdir` does. The option `recursive` of Node tries for ever where the
 * system says of a name in a folder that is there that it is missing, as below `/proc`.
 */
export async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path)
  if (await isFolder(folder)) return
  if (dirname(folder) !== folder) await makeFolder(dirname(folder))
  try {
    await mkdir(folder)
  } catch (error) {
    if (!(await isFolder(folder))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  const entry = await stat(path).catch(() => undefined)
  return entry?.isDirectory() === true
}
