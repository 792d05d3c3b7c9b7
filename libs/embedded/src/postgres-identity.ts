import { execFile } from 'node:child_process'
import { lchown, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from '@recto/operation'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { Command } from './processes.ts'

const run = promisify(execFile)
const nobody = { uid: 65534, gid: 65534 }
const unshare = ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`]

/** Builds the command that runs a PostgreSQL program as a non-root user: PostgreSQL refuses root. */
export type AsPostgres = (file: string, args: string[]) => Command

interface Candidate {
  owner: { uid: number; gid: number }
  prefix: string[]
}

/**
 * Creates the folder and finds the user to run PostgreSQL as. As root: a user namespace of the folder's owner, or of the
 * programs' owner (no account is created, files keep their owner), or else the user nobody. Throws `unavailable` when none
 * of them can use both the folder and the programs.
 */
export async function postgresIdentity(folder: string, binaries: PostgresBinaries): Promise<AsPostgres> {
  if (process.getuid?.() !== 0) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return (file, args) => ({ file, args })
  }
  const owner = await ownerOf(folder)
  await createOwnedFolder(folder, owner)
  const checkout = await ownerOf(binaries.postgres)
  const candidates: Candidate[] = [
    { owner, prefix: unshare },
    { owner: checkout, prefix: unshare },
    { owner: nobody, prefix: [] },
  ]
  for (const candidate of candidates) {
    if (candidate.owner.uid !== owner.uid) await changeOwner(folder, candidate.owner)
    if (await canRun(commandAs(candidate), folder, binaries)) return commandAs(candidate)
  }
  await changeOwner(folder, owner)
  throw new Failure(
    'unavailable',
    `PostgreSQL does not run as root, and no other user can use both ${folder} and ${binaries.postgres}`,
  )
}

function commandAs({ owner, prefix }: Candidate): AsPostgres {
  return (file, args) => {
    const [first = file, ...rest] = [...prefix, file, ...args]
    return { file: first, args: rest, ...owner }
  }
}

async function canRun(asPostgres: AsPostgres, folder: string, { initdb }: PostgresBinaries): Promise<boolean> {
  const probe = asPostgres('/bin/sh', ['-c', 'test -w "$1" && exec "$2" --version', 'sh', folder, initdb])
  const { file, args, uid, gid } = probe
  return run(file, args, { cwd: '/', uid, gid }).then(
    () => true,
    () => false,
  )
}

/** The owner of a path, or of its nearest existing ancestor. */
async function ownerOf(path: string): Promise<{ uid: number; gid: number }> {
  const stats = await stat(path).catch(() => undefined)
  if (stats) return { uid: stats.uid, gid: stats.gid }
  return ownerOf(dirname(path))
}

async function createOwnedFolder(folder: string, owner: { uid: number; gid: number }): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let path = folder; path.length >= first.length; path = dirname(path)) await lchown(path, owner.uid, owner.gid)
}

async function changeOwner(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  await lchown(folder, uid, gid)
  for (const entry of await readdir(folder, { recursive: true })) await lchown(join(folder, entry), uid, gid)
}
