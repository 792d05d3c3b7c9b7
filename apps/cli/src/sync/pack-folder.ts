import { open } from 'node:fs/promises'
import { encodeTree, groupByFolder, objectId, writePack, type FolderChange, type PackObject } from '@recto/git-pack'

/** Files to push: path to git object, and how they are read. */
export interface PackedFiles {
  oids: ReadonlyMap<string, string>
  read(path: string): Promise<Uint8Array>
}

/** Who commits: the commit of a push is read, and kept by no repository. */
const committer = 'Recto <recto@localhost>'

/** Writes a pack of one commit with files of a folder; resolves to the id of the commit. Throws when a file changes meanwhile. */
export async function packFolder(files: PackedFiles, path: string, message: string): Promise<string> {
  const trees = new Map<string, Buffer>()
  const tree = addTrees(groupByFolder(files.oids), trees)
  const seconds = Math.floor(Date.now() / 1000)
  const person = `${committer} ${seconds} +0000`
  const commit = Buffer.from(`tree ${tree}\nauthor ${person}\ncommitter ${person}\n\n${message.trimEnd()}\n`)
  const blobs = new Map(Array.from(files.oids, ([file, oid]) => [oid, file]))
  const file = await open(path, 'wx')
  try {
    const count = 1 + trees.size + blobs.size
    await writePack(objectsOf({ commit, trees, blobs, files }), count, bytes => file.writeFile(bytes))
  } finally {
    await file.close()
  }
  return objectId({ type: 'commit', bytes: commit })
}

/** Adds the trees of a folder by their ids; resolves to that of the folder itself. */
function addTrees({ files, folders }: FolderChange, trees: Map<string, Buffer>): string {
  const below = Array.from(folders, ([name, folder]) => ({ mode: '40000', name, oid: addTrees(folder, trees) }))
  const own = Array.from(files, ([name, oid]) => ({ mode: '100644', name, oid: oid ?? '' }))
  const bytes = encodeTree([...below, ...own])
  const oid = objectId({ type: 'tree', bytes })
  trees.set(oid, bytes)
  return oid
}

interface FolderObjects {
  commit: Buffer
  trees: ReadonlyMap<string, Buffer>
  /** The path of a file by its git object. */
  blobs: ReadonlyMap<string, string>
  files: PackedFiles
}

async function* objectsOf({ commit, trees, blobs, files }: FolderObjects): AsyncGenerator<PackObject> {
  yield { type: 'commit', bytes: commit }
  for (const bytes of trees.values()) yield { type: 'tree', bytes }
  for (const [oid, path] of blobs) {
    const bytes = Buffer.from(await files.read(path))
    if (objectId({ type: 'blob', bytes }) !== oid) throw new Error(`${path} was changed meanwhile: push again`)
    yield { type: 'blob', bytes }
  }
}
