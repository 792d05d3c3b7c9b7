import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createBlobStore, type BlobStore } from '@recto/blobs'
import { Failure } from '@recto/operation'
import { readBlobNames } from './blobs.ts'
import { parseManifest, type Manifest } from './manifest.ts'

/** A folder of backups: `blobs/` is shared by all of them, each has a folder of its name, which sorts by time. */
const blobsName = 'blobs'
const manifestName = 'manifest.json'
const namePattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

/** The name of a backup that begins now. */
export function backupName(now: Date): string {
  return now.toISOString().replaceAll(':', '-')
}

/** The file with the names of a backup's blobs of one store. */
export function blobNamesFile(path: string, store: string): string {
  return join(path, `blobs-${store}.gz`)
}

/** Opens the blob store in a backup folder that holds the copies of one store; all backups in the folder share it. */
export function openBackupBlobStore(folder: string, store: string): BlobStore {
  return createBlobStore({ url: pathToFileURL(join(resolve(folder), blobsName, store)).href })
}

/** Creates the folder of a new backup; only its owner can read it. */
export async function createBackupFolder(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await mkdir(path, { mode: 0o700 })
  return path
}

/** Names of the finished backups of a folder, the newest first, and of those that were not finished. */
export async function listBackups(folder: string): Promise<{ finished: string[]; unfinished: string[] }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new Failure('not_found', `${folder} is not a folder of backups.`, { cause })
  })
  const names = entries.filter(entry => entry.isDirectory() && namePattern.test(entry.name)).map(({ name }) => name)
  const finished: string[] = []
  const unfinished: string[] = []
  for (const name of names.toSorted().toReversed())
    ((await readdir(join(folder, name))).includes(manifestName) ? finished : unfinished).push(name)
  return { finished, unfinished }
}

/** Writes the manifest, which makes the backup a finished one: all other files are on the disk before. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, manifest.name, manifestName)
  await writeFile(`${path}.new`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  const directory = await open(join(folder, manifest.name))
  await directory.sync().finally(() => directory.close())
}

/** Reads the manifest of a backup, the newest unless a name is given. Throws `not_found` or `invalid_request`. */
export async function readManifest(folder: string, name?: string): Promise<Manifest> {
  const { finished } = await listBackups(folder)
  const chosen = name ?? finished[0]
  if (chosen === undefined || !finished.includes(chosen))
    throw new Failure('not_found', `${folder} has no finished backup${name === undefined ? '' : ` ${name}`}.`)
  try {
    return parseManifest(await readFile(join(folder, chosen, manifestName), 'utf8'))
  } catch (cause) {
    throw new Failure('invalid_request', `The manifest of ${chosen} cannot be read by this version.`, { cause })
  }
}

/**
 * Deletes all but the newest backups, and the blobs that no other backup names. Blobs stay while a backup is unfinished, which may be
 * one that is being made; an unfinished one that is older than the oldest that is kept is deleted.
 */
export async function deleteOldBackups(folder: string, keep: number): Promise<{ backups: string[]; blobs: number }> {
  const { finished, unfinished } = await listBackups(folder)
  const newest = finished.slice(0, keep)
  const old = finished.slice(keep)
  const oldest = newest.at(-1) ?? ''
  const abandoned = unfinished.filter(name => name < oldest)
  for (const name of [...old, ...abandoned]) await rm(join(folder, name), { recursive: true, force: true })
  const blobs = unfinished.length > abandoned.length ? 0 : await deleteUnnamedBlobs(folder, newest)
  return { backups: [...old, ...abandoned], blobs }
}

async function deleteUnnamedBlobs(folder: string, backups: readonly string[]): Promise<number> {
  const hashesByStore = new Map<string, Set<string>>()
  for (const name of backups) {
    const { blobs = [] } = await readManifest(folder, name)
    for (const { store, sha256 } of blobs) {
      const hashes = await readBlobNames(blobNamesFile(join(folder, name), store), sha256)
      hashesByStore.set(store, new Set([...(hashesByStore.get(store) ?? []), ...hashes]))
    }
  }
  let deleted = 0
  for (const [store, hashes] of hashesByStore) deleted += await deleteAllBut(hashes, openBackupBlobStore(folder, store))
  return deleted
}

async function deleteAllBut(hashes: ReadonlySet<string>, store: BlobStore): Promise<number> {
  let deleted = 0
  for await (const hash of store.list()) {
    if (hashes.has(hash)) continue
    await store.delete(hash)
    deleted++
  }
  return deleted
}
