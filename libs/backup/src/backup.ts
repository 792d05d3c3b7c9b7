import { join } from 'node:path'
import type { BlobStore } from '@recto/blobs'
import { Failure } from '@recto/operation'
import { copyBlobs, readBlobNames, writeBlobNames } from './blobs.ts'
import { copyDatabase, fillDatabase, requireEmpty, tableFile } from './copies.ts'
import { readCompressed } from './files.ts'
import {
  openBackupBlobStore,
  backupName,
  blobNamesFile,
  createBackupFolder,
  readManifest,
  writeManifest,
} from './folder.ts'
import { newManifest, type DatabaseCopy, type Manifest } from './manifest.ts'
import { beginAtOneInstant, closeSessions, openSessions, type Database, type Session } from './sessions.ts'

/** A blob store under the name that it has in backups. */
export interface NamedStore {
  name: string
  store: BlobStore
}

/** The installation, and where its backups are. */
export interface BackupOptions {
  databases: readonly Database[]
  /** Without it the blobs are left out: a bucket may have versions and copies of its own. */
  blobs?: readonly NamedStore[] | undefined
  folder: string
  log(line: string): void
  /** Adds files of its own to the folder of the backup, before it counts as finished. */
  addFiles?(path: string): Promise<void>
}

/**
 * Makes a backup while the installation runs. Blobs are immutable and kept for an hour after their last reference, so that copying them
 * before and after the databases covers every blob that the databases refer to.
 */
export async function makeBackup({ databases, blobs, folder, log, addFiles }: BackupOptions): Promise<Manifest> {
  const name = backupName(new Date())
  const path = await createBackupFolder(folder, name)
  const copying = blobs?.map(({ name, store }) => ({
    name,
    from: store,
    to: openBackupBlobStore(folder, name),
    names: new Set<string>(),
  }))
  for (const each of copying ?? []) await copyNew(each, log)
  const { readers, at } = await beginAtOneInstant(databases)
  const copies: DatabaseCopy[] = []
  try {
    for (const reader of readers) {
      copies.push(await copyDatabase(reader, path))
      log(`${reader.name}: ${rowsOf(copies.at(-1))} rows`)
    }
  } finally {
    await closeSessions(readers)
  }
  const blobCopies: NonNullable<Manifest['blobs']> = []
  for (const each of copying ?? []) {
    await copyNew(each, log)
    const sha256 = await writeBlobNames(blobNamesFile(path, each.name), each.names)
    blobCopies.push({ store: each.name, count: each.names.size, sha256 })
  }
  const manifest = newManifest({
    name,
    takenAt: at.toISOString(),
    databases: copies,
    ...(copying && { blobs: blobCopies }),
  })
  await addFiles?.(path)
  await writeManifest(folder, manifest)
  return manifest
}

interface Copying {
  name: string
  from: BlobStore
  to: BlobStore
  /** All blobs that were seen in the source. */
  names: Set<string>
}

/** Copies the blobs that were not there before; a blob that is deleted meanwhile is one that nothing names. */
async function copyNew({ name, from, to, names }: Copying, log: (line: string) => void): Promise<void> {
  async function* unseen(): AsyncGenerator<string> {
    for await (const hash of from.list()) {
      if (names.has(hash)) continue
      names.add(hash)
      yield hash
    }
  }
  const { copied, bytes } = await copyBlobs({ from, to, missing: hash => void names.delete(hash) }, unseen())
  log(`blobs of ${name}: ${copied} copied (${megabytes(bytes)} MB), ${names.size} in all`)
}

/** The new installation, and the backup that it is made of. */
export interface RestoreOptions extends Omit<BackupOptions, 'addFiles'> {
  /** The newest backup unless given. */
  name?: string | undefined
  /** Brings the empty database of a service to the schema that these migrations make. */
  migrate(database: string, migrations: string[]): Promise<void>
}

/**
 * Restores a backup into a new installation, none of whose processes run. Throws `conflict` when a database has rows, or the backup is
 * damaged; then all databases are empty, and it can be repeated.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { databases, folder, log } = options
  const manifest = await readManifest(folder, options.name)
  for (const { name, migrations } of manifest.databases) {
    if (!databases.some(database => database.name === name))
      throw new Failure('invalid_request', `The backup has a database ${name}, and the installation none of that name.`)
    await options.migrate(name, migrations)
  }
  const sessions = await openSessions(databases)
  try {
    for (const session of sessions) await requireEmpty(session)
    await restoreBlobs(options, manifest)
    for (const session of sessions) await fill(session, { manifest, folder, log })
    for (const { client } of sessions) await client.query('commit')
    for (const { client } of sessions) await client.query('analyze')
  } finally {
    // Ends transactions that were not committed.
    await closeSessions(sessions)
  }
  return manifest
}

interface Filling {
  manifest: Manifest
  folder: string
  log(line: string): void
}

async function fill(session: Session, { manifest, folder, log }: Filling): Promise<void> {
  await session.client.query('begin')
  const copy = manifest.databases.find(({ name }) => name === session.name)
  // A database that a later version added.
  if (!copy) return
  await fillDatabase(session, copy, join(folder, manifest.name))
  log(`${session.name}: ${rowsOf(copy)} rows`)
}

async function restoreBlobs({ blobs, folder, log }: RestoreOptions, manifest: Manifest): Promise<void> {
  if (!blobs || !manifest.blobs) return log('blobs: left out')
  const missing = (hash: string): never => {
    throw new Failure('conflict', `The backup is damaged: it has no blob ${hash}.`)
  }
  for (const { store, sha256 } of manifest.blobs) {
    const to = blobs.find(({ name }) => name === store)?.store
    if (!to) throw new Failure('invalid_request', `The backup has blobs of ${store}, which the installation has not.`)
    const hashes = await readBlobNames(blobNamesFile(join(folder, manifest.name), store), sha256)
    const { copied, bytes } = await copyBlobs({ from: openBackupBlobStore(folder, store), to, missing }, hashes)
    log(`blobs of ${store}: ${copied} copied (${megabytes(bytes)} MB), ${hashes.length} in all`)
  }
}

/** Reads all that a backup consists of; resolves to what is wrong with it, which is nothing when it can be restored. */
export async function verifyBackup(folder: string, name?: string): Promise<{ manifest: Manifest; faults: string[] }> {
  const manifest = await readManifest(folder, name)
  const faults: string[] = []
  const path = join(folder, manifest.name)
  for (const database of manifest.databases)
    for (const table of database.tables)
      await readWhole(readCompressed(tableFile(path, database.name, table.name), table.sha256), faults)
  for (const each of manifest.blobs ?? []) faults.push(...(await blobFaults(folder, manifest.name, each)))
  return { manifest, faults }
}

async function blobFaults(
  folder: string,
  name: string,
  { store, sha256 }: { store: string; sha256: string },
): Promise<string[]> {
  const faults: string[] = []
  const hashes = await readBlobNames(blobNamesFile(join(folder, name), store), sha256).catch(
    (error: Error): string[] => {
      faults.push(error.message)
      return []
    },
  )
  const blobs = openBackupBlobStore(folder, store)
  for (const hash of hashes) if (!(await blobs.verify(hash))) faults.push(`The blob ${hash} is missing or damaged.`)
  return faults
}

async function readWhole(content: AsyncIterable<Buffer>, faults: string[]): Promise<void> {
  try {
    for await (const chunk of content) void chunk
  } catch (error) {
    faults.push((error as Error).message)
  }
}

function rowsOf(copy: DatabaseCopy | undefined): number {
  return copy?.tables.reduce((sum, { rows }) => sum + rows, 0) ?? 0
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}
