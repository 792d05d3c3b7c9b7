import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ObjectStore, openPack } from '@recto/git-pack'
import { ImportFailure } from '../models/import-failure.ts'
import type { Limits } from '../models/limits.ts'
import { openPackFile, type PackFile } from './pack-file.ts'

/** The objects of a clone; `close` closes its files. */
export interface OpenClone {
  store: ObjectStore
  close(): Promise<void>
}

/** Bytes of objects cached as delta bases. */
const cacheBytes = 16 * 1024 * 1024

/** Opens all packs of a clone; throws `invalid_repository` for a damaged one. */
export async function openClone(gitdir: string, { maxFile }: Pick<Limits, 'maxFile'>): Promise<OpenClone> {
  const files: PackFile[] = []
  const close = async () => {
    for (const file of files) await file.close()
  }
  try {
    const folder = join(gitdir, 'objects/pack')
    const names = (await readdir(folder)).filter(name => name.endsWith('.idx')).map(name => name.slice(0, -4))
    for (const name of names) files.push(await openPackFile(join(folder, `${name}.pack`)))
    const packs = await Promise.all(
      files.map(async ({ reader }, at) => openPack(reader, await readFile(join(folder, `${names[at]}.idx`)))),
    )
    return { store: new ObjectStore(packs, { maxObject: maxFile, cacheBytes }), close }
  } catch (cause) {
    await close()
    throw new ImportFailure('invalid_repository', 'The clone of the repository cannot be read', { cause })
  }
}
