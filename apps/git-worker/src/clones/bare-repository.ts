import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { encodeIndex, type IndexEntry } from '@recto/git-pack'

/** The state of a clone: fetched tips, and shallow commits. */
export interface CloneState {
  tips: Map<string, string>
  shallow: string[]
  packs: number
  /** Total size of the packs. */
  bytes: number
  /** Whether files are fetched only when they are needed, so that many are missing. */
  isPartial: boolean
}

const partialMark = 'partial'
const config = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n'

/** Creates a bare repository if there is none. It has no remote, so it stores no URL and no credentials. */
export async function prepareRepository(gitdir: string): Promise<void> {
  const folders = ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags']
  await Promise.all(folders.map(folder => mkdir(join(gitdir, folder), { recursive: true })))
  await writeFile(join(gitdir, 'config'), config)
  await writeFile(join(gitdir, 'HEAD'), 'ref: refs/heads/main\n')
}

export async function clearRepository(gitdir: string): Promise<void> {
  await rm(gitdir, { recursive: true, force: true })
  await prepareRepository(gitdir)
}

/** Marks a clone as partial, since no server may assume that it has all files. */
export async function markPartial(gitdir: string): Promise<void> {
  await writeFile(join(gitdir, partialMark), '')
}

export async function readState(gitdir: string): Promise<CloneState> {
  const lines = async (name: string) =>
    (await readFile(join(gitdir, name), 'utf8').catch(() => '')).split('\n').filter(line => /^[0-9a-f]{40}/.test(line))
  const tips = (await lines('packed-refs')).map((line): [string, string] => [line.slice(41), line.slice(0, 40)])
  const folder = join(gitdir, 'objects/pack')
  const packs = (await readdir(folder)).filter(name => name.endsWith('.pack'))
  const sizes = await Promise.all(packs.map(name => stat(join(folder, name))))
  const bytes = sizes.reduce((sum, { size }) => sum + size, 0)
  const isPartial = existsSync(join(gitdir, partialMark))
  return { tips: new Map(tips), shallow: await lines('shallow'), packs: packs.length, bytes, isPartial }
}

/** Adds a fetched pack to a clone and returns its path without extension. New refs are written last, so that their objects are complete. */
export async function addPack(
  gitdir: string,
  pack: { path: string; checksum: Buffer; entries: IndexEntry[] },
  state?: Pick<CloneState, 'tips' | 'shallow'>,
): Promise<string> {
  const name = join(gitdir, 'objects/pack', `pack-${pack.checksum.toString('hex')}`)
  await rename(pack.path, `${name}.pack`)
  await replace(`${name}.idx`, encodeIndex(pack.entries, pack.checksum))
  if (!state) return name
  await replace(join(gitdir, 'shallow'), state.shallow.map(oid => `${oid}\n`).join(''))
  const refs = [...state.tips].sort(([a], [b]) => (a < b ? -1 : 1)).map(([ref, oid]) => `${oid} ${ref}\n`)
  await replace(join(gitdir, 'packed-refs'), refs.join(''))
  return name
}

async function replace(path: string, content: string | Buffer): Promise<void> {
  await writeFile(`${path}.new`, content)
  await rename(`${path}.new`, path)
}
