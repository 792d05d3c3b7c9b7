import { createHash } from 'node:crypto'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'

/** An entry of a git tree: its mode as git writes it, and the id of the object that it names. */
export interface Entry {
  mode: '100644' | '100755' | '120000' | '160000' | '40000'
  id: string
}

/** All files of a commit by path. */
export type Entries = Map<string, Entry>

/** Writes a loose object into a repository and returns its id. */
export async function writeObject(
  repository: string,
  type: 'blob' | 'tree' | 'commit',
  content: Buffer,
): Promise<string> {
  const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  const id = createHash('sha1').update(object).digest('hex')
  const path = join(repository, 'objects', id.slice(0, 2), id.slice(2))
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, deflateSync(object, { level: 1 }))
  }
  return id
}

/** Writes the tree objects of these files. Names are not checked: tests need hostile ones such as `..` and `.git`. */
export async function writeTree(repository: string, entries: Entries): Promise<string> {
  const here: Entries = new Map()
  const below = new Map<string, Entries>()
  for (const [path, entry] of entries) {
    const [first = '', ...rest] = path.split('/')
    if (rest.length === 0) here.set(first, entry)
    else below.set(first, (below.get(first) ?? new Map<string, Entry>()).set(rest.join('/'), entry))
  }
  for (const [name, inner] of below) here.set(name, { mode: '40000', id: await writeTree(repository, inner) })
  const lines = [...here]
    .sort(byName)
    .map(([name, { mode, id }]) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]))
  return writeObject(repository, 'tree', Buffer.concat(lines))
}

// Git sorts tree entries by bytes, and folders as if their names ended in a slash.
function byName([a, { mode: modeOfA }]: [string, Entry], [b, { mode: modeOfB }]: [string, Entry]): number {
  const key = (name: string, mode: string) => Buffer.from(mode === '40000' ? `${name}/` : name)
  return Buffer.compare(key(a, modeOfA), key(b, modeOfB))
}
