import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ObjectStore, openPack, type Pack } from '@recto/git-pack'
import { ImportFailure, type Limits } from '@recto/repository-content'
import { openPackFile, type PackFile } from './pack-file.ts'

/** The objects of a clone; `close` closes its files. */
export interface OpenClone {
  store: ObjectStore
  /** Opens packs that any operation added since. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Bytes of objects cached as delta bases. */
const cacheBytes = 16 * 1024 * 1024

/** Opens all packs of a clone; throws `invalid_repository` for a damaged one. */
export async function openClone(gitdir: string, { maxFile }: Pick<Limits, 'maxFile'>): Promise<OpenClone> {
  const files = new Map<string, PackFile>()
  const store = new ObjectStore([], { maxObject: maxFile, cacheBytes })
  const close = async () => {
    for (const file of files.values()) await file.close()
  }
  const refresh = async () => {
    const folder = join(gitdir, 'objects/pack')
    for (const name of (await readdir(folder)).filter(each => each.endsWith('.idx')).map(each => each.slice(0, -4)))
      if (!files.has(name)) store.add(await openPackAt(join(folder, name), file => files.set(name, file)))
  }
  try {
    await refresh()
    return { store, refresh, close }
  } catch (cause) {
    await close()
    throw new ImportFailure('invalid_repository', 'The clone of the repository cannot be read', { cause })
  }
}

async function openPackAt(path: string, keep: (file: PackFile) => void): Promise<Pack> {
  const file = await openPackFile(`${path}.pack`)
  keep(file)
  return openPack(file.reader, await readFile(`${path}.idx`))
}
