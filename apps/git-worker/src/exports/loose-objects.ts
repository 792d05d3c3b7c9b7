import fs from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  encodeTree,
  isTree,
  parseRawTree,
  writePack,
  type FolderChange,
  type ObjectStore,
  type PackObject,
  type RawEntry,
} from '@recto/git-pack'
import git from 'isomorphic-git'

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** A person in a commit. */
export interface Person {
  name: string
  email: string
}

/** The objects that an export writes: loose, in a folder of their own, so that one at a time is in memory. */
export class LooseObjects {
  readonly #gitdir: string

  private constructor(gitdir: string) {
    this.#gitdir = gitdir
  }

  /** Opens an empty folder for objects; older files in it are deleted. */
  static async open(folder: string): Promise<LooseObjects> {
    const objects = new LooseObjects(folder)
    await objects.remove()
    await mkdir(join(objects.#gitdir, 'objects'), { recursive: true })
    return objects
  }

  async remove(): Promise<void> {
    await rm(this.#gitdir, { recursive: true, force: true })
  }

  /** Writes an object and returns its id. */
  write(type: 'blob' | 'tree', object: Buffer): Promise<string> {
    return git.writeObject({ fs, gitdir: this.#gitdir, type, object, format: 'content' })
  }

  /** Writes a commit with the current time and returns its id. */
  async commit(commit: {
    tree: string
    parent: string[]
    message: string
    author: Person
    committer: Person
  }): Promise<string> {
    const now = { timestamp: Math.floor(Date.now() / 1000), timezoneOffset: 0 }
    const { author, committer, message, ...rest } = commit
    return git.writeCommit({
      fs,
      gitdir: this.#gitdir,
      commit: {
        ...rest,
        message: `${message.trimEnd()}\n`,
        author: { ...author, ...now },
        committer: { ...committer, ...now },
      },
    })
  }

  /** Writes a pack of objects; resolves to its size in bytes. */
  async pack(path: string, oids: string[]): Promise<number> {
    const file = await open(path, 'w')
    try {
      return await writePack(this.#read(oids), oids.length, bytes => file.writeFile(bytes))
    } finally {
      await file.close()
    }
  }

  async *#read(oids: readonly string[]): AsyncGenerator<PackObject> {
    for (const oid of oids) {
      const { type, object } = await git.readObject({ fs, gitdir: this.#gitdir, oid, format: 'content' })
      yield { type: type as PackObject['type'], bytes: Buffer.from(object as Uint8Array) }
    }
  }
}

/** Writes the trees of a commit with changed files. Entries that do not change stay byte for byte. */
export class TreeWriter {
  readonly #store: ObjectStore | undefined
  readonly #objects: LooseObjects
  /** Ids of the new trees. */
  readonly writtenOids: string[] = []

  constructor(store: ObjectStore | undefined, objects: LooseObjects) {
    this.#store = store
    this.#objects = objects
  }

  /** Resolves to the id of the tree with the changes. */
  async edit(tree: string | undefined, change: FolderChange): Promise<string> {
    return (await this.#edit(tree, change)) ?? this.#write(Buffer.alloc(0), emptyTree)
  }

  async #edit(tree: string | undefined, { files, folders }: FolderChange): Promise<string | undefined> {
    const all = await this.#entriesOf(tree)
    // A hostile tree can have a name twice: the first entry counts.
    const old = new Map(all.toReversed().map(entry => [entry.name, entry]))
    const changed = new Map<string, RawEntry | undefined>()
    for (const [name, oid] of files) {
      const mode = old.get(name)?.mode ?? '40000'
      changed.set(name, oid === null ? undefined : { mode: isTree(mode) ? '100644' : mode, name, oid })
    }
    for (const [name, folder] of folders) {
      const before = old.get(name)
      const beforeTree = before && isTree(before.mode) ? before : undefined
      const oid = await this.#edit(beforeTree?.oid, folder)
      changed.set(name, oid === undefined ? undefined : { mode: beforeTree?.mode ?? '40000', name, oid })
    }
    const entries = [...all.filter(({ name }) => !changed.has(name)), ...changed.values()]
    const remainingEntries = entries.filter(entry => entry !== undefined)
    return remainingEntries.length === 0 ? undefined : this.#write(encodeTree(remainingEntries), tree)
  }

  async #entriesOf(tree: string | undefined): Promise<RawEntry[]> {
    if (tree === undefined || !this.#store) return []
    return parseRawTree(await this.#store.read(tree, 'tree'))
  }

  async #write(bytes: Buffer, before: string | undefined): Promise<string> {
    const oid = await this.#objects.write('tree', bytes)
    if (oid !== before || before === emptyTree) this.writtenOids.push(oid)
    return oid
  }
}
