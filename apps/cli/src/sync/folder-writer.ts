import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { folderOf, joinInside } from '@recto/repository-format'
import { toolFolders } from '../folders/folder-source.ts'
import { makeFolder } from '../folders/make-folder.ts'
import { UsageFailure } from '../terminal/command.ts'
import { blobOid } from './folder-tip.ts'

/** The folder of the state, inside the folder of the content. */
const stateFolder = '.recto'
/** Bytes of the file of the state. */
const maxStateBytes = 32 * 1024 * 1024

/** Writes the files of a folder: each at once or not at all, never through a symbolic link, and never out of the folder. */
export class FolderWriter {
  readonly #root: string
  readonly #drafts: string

  private constructor(root: string) {
    this.#root = root
    this.#drafts = join(root, stateFolder, `draft-${randomUUID()}`)
  }

  /** Opens a folder, which is made where it is missing. Throws `UsageFailure` when its state is behind a link. */
  static async open(folder: string): Promise<FolderWriter> {
    await makeFolder(folder)
    const root = await realpath(folder)
    const entry = await entryAt(join(root, stateFolder))
    if (entry && !entry.isDirectory()) throw new UsageFailure(`${stateFolder} is no folder`)
    return new FolderWriter(root)
  }

  /** Reads the text of the state; undefined without one. */
  async readState(): Promise<string | undefined> {
    const file = join(this.#root, stateFolder, 'state.json')
    const entry = await entryAt(file)
    if (!entry) return undefined
    if (!entry.isFile() || entry.size > maxStateBytes) throw new UsageFailure(`${stateFolder}/state.json is no state`)
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
    return handle.readFile('utf8').finally(() => handle.close())
  }

  /** Writes the text of the state. */
  async writeState(text: string): Promise<void> {
    await mkdir(this.#drafts, { recursive: true })
    await this.#replace(join(this.#root, stateFolder, '.gitignore'), '*\n')
    await this.#replace(join(this.#root, stateFolder, 'state.json'), text)
  }

  /** The path of a file that is deleted at the end. */
  async draftPath(name: string): Promise<string> {
    await mkdir(this.#drafts, { recursive: true })
    return join(this.#drafts, name)
  }

  /** Keeps bytes until they are written to their place; resolves to their git object. */
  async write(_type: 'blob', bytes: Buffer): Promise<string> {
    const oid = blobOid(bytes)
    await mkdir(this.#drafts, { recursive: true })
    await writeFile(join(this.#drafts, oid), bytes)
    return oid
  }

  /** Copies files into a new folder of the state, which is returned, before they are replaced. */
  async copyReplaced(paths: readonly string[], time: Date): Promise<string> {
    const copies = `${stateFolder}/replaced`
    const entry = await entryAt(join(this.#root, copies))
    if (entry && !entry.isDirectory()) throw new UsageFailure(`${copies} is no folder`)
    if (!entry) await mkdir(join(this.#root, copies), { recursive: true })
    const folder = `${copies}/${time.toISOString().replaceAll(':', '-')}`
    await mkdir(join(this.#root, folder))
    for (const path of paths) {
      const source = await this.#targetOf(path, false)
      const target = join(this.#root, folder, path)
      await mkdir(dirname(target), { recursive: true })
      await copyFile(source, target, constants.COPYFILE_EXCL)
    }
    return folder
  }

  /** Writes a file whose bytes were given to `write`; `oid` is what the file is before, undefined for none. */
  async place(path: string, oid: string, before: string | undefined): Promise<void> {
    const target = await this.#targetOf(path, true)
    await this.#requireUnchanged(target, path, before)
    const draft = join(this.#drafts, randomUUID())
    await writeFile(draft, await readFile(join(this.#drafts, oid)), { flag: 'wx' })
    const entry = await entryAt(target)
    if (entry) await chmod(draft, entry.mode & 0o777)
    await rename(draft, target)
  }

  /** Deletes a file, and the folders that are empty without it. */
  async delete(path: string, before: string): Promise<void> {
    const target = await this.#targetOf(path, false)
    if (!(await entryAt(target))) return
    await this.#requireUnchanged(target, path, before)
    await unlink(target)
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
      const isRemoved = await rmdir(join(this.#root, folder)).then(
        () => true,
        () => false,
      )
      if (!isRemoved) return
    }
  }

  /** Deletes what was kept. */
  async close(): Promise<void> {
    await rm(this.#drafts, { recursive: true, force: true })
  }

  /** The place of a path. Throws for one that is none of a repository, and where a folder above is a link. */
  async #targetOf(path: string, makesFolders: boolean): Promise<string> {
    const [first = ''] = path.split('/')
    if (path === '' || joinInside(path) !== path || toolFolders.has(first.toLowerCase()))
      throw new Error(`${JSON.stringify(path)} is no path that a pull writes`)
    const folder = join(this.#root, folderOf(path))
    await this.#requireFolders(folderOf(path), makesFolders)
    if ((await realpath(folder).catch(() => folder)) !== folder) throw new Error(`${path} leads out of the folder`)
    return join(this.#root, path)
  }

  async #requireFolders(folder: string, makesFolders: boolean): Promise<void> {
    if (folder === '') return
    await this.#requireFolders(folderOf(folder), makesFolders)
    const place = join(this.#root, folder)
    const entry = await entryAt(place)
    if (!entry && makesFolders) await mkdir(place)
    if (entry && !entry.isDirectory()) throw new Error(`${folder} is no folder`)
  }

  async #requireUnchanged(target: string, path: string, before: string | undefined): Promise<void> {
    const entry = await entryAt(target)
    if (entry && !entry.isFile()) throw new Error(`${path} is no file`)
    const oid = entry ? blobOid(await readFile(target)) : undefined
    if (oid !== before) throw new Error(`${path} was changed meanwhile: pull again`)
  }

  async #replace(target: string, text: string): Promise<void> {
    const draft = join(this.#drafts, randomUUID())
    await writeFile(draft, text, { flag: 'wx' })
    await rename(draft, target)
  }
}

async function entryAt(path: string) {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
