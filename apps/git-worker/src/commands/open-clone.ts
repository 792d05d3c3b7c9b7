import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeIndex, ObjectStore, PackReader, type Pack } from '@recto/git-pack'
import { ImportFailure } from '../models/import-failure.ts'

/** The objects of a clone, and what closes its files. */
export interface OpenClone {
  store: ObjectStore
  close(): Promise<void>
}

/** Opens all packs of a clone; one that was damaged is an invalid repository. */
export async function openClone(gitdir: string): Promise<OpenClone> {
  try {
    const packs = await openPacks(gitdir)
    return { store: new ObjectStore(packs), close: () => closePacks(packs) }
  } catch (cause) {
    throw new ImportFailure('invalid_repository', 'The clone of the repository cannot be read', { cause })
  }
}

async function openPacks(gitdir: string): Promise<Pack[]> {
  const folder = join(gitdir, 'objects/pack')
  const names = (await readdir(folder)).filter(name => name.endsWith('.idx')).map(name => name.slice(0, -4))
  const packs: Pack[] = []
  try {
    for (const name of names) packs.push(await openPack(join(folder, name)))
    return packs
  } catch (error) {
    await closePacks(packs)
    throw error
  }
}

async function openPack(path: string): Promise<Pack> {
  const reader = await PackReader.open(`${path}.pack`)
  try {
    return { reader, index: decodeIndex(await readFile(`${path}.idx`), reader.bytes) }
  } catch (error) {
    await reader.close()
    throw error
  }
}

async function closePacks(packs: Pack[]): Promise<void> {
  for (const { reader } of packs) await reader.close()
}
