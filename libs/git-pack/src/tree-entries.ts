/** An entry of a tree, byte for byte: names are Latin-1 of their bytes, since git allows any bytes. */
export interface RawEntry {
  mode: string
  name: string
  oid: string
}

/** Parses a tree object. */
export function parseRawTree(bytes: Buffer): RawEntry[] {
  const entries: RawEntry[] = []
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at)
    const end = bytes.indexOf(0, space)
    entries.push({
      mode: bytes.toString('latin1', at, space),
      name: bytes.toString('latin1', space + 1, end),
      oid: bytes.toString('hex', end + 1, end + 21),
    })
    at = end + 21
  }
  return entries
}

/** Encodes a tree object in the order of git: by bytes, folders as if their names ended in a slash. */
export function encodeTree(entries: RawEntry[]): Buffer {
  const key = ({ name, mode }: RawEntry) => (isTree(mode) ? `${name}/` : name)
  const sorted = entries.toSorted((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))))
  return Buffer.concat(
    sorted.flatMap(({ mode, name, oid }) => [Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(oid, 'hex')]),
  )
}

/** Whether a mode means a folder. */
export function isTree(mode: string): boolean {
  return mode === '40000' || mode === '040000'
}

/** Converts a name to the form of `RawEntry`: Latin-1 of its UTF-8 bytes. */
export function rawName(name: string): string {
  return Buffer.from(name).toString('latin1')
}

/** Changed files of a folder by name, null for one that is deleted, and its folders with changes. */
export interface FolderChange {
  files: Map<string, string | null>
  folders: Map<string, FolderChange>
}

/** Groups changes of files by folder: path to object, null for one that is deleted. */
export function groupByFolder(changes: ReadonlyMap<string, string | null>): FolderChange {
  const root: FolderChange = { files: new Map(), folders: new Map() }
  for (const [path, oid] of changes) {
    const names = path.split('/').map(rawName)
    let folder = root
    for (const name of names.slice(0, -1)) {
      const next = folder.folders.get(name) ?? { files: new Map(), folders: new Map() }
      folder.folders.set(name, next)
      folder = next
    }
    folder.files.set(names.at(-1) ?? '', oid)
  }
  return root
}
