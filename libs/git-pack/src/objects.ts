import { invalidPack } from './git-pack-error.ts'

/** An entry of a tree. `name` is undefined when it is not valid UTF-8. */
export interface TreeEntry {
  mode: string
  name: string | undefined
  oid: string
}

/** The fields of a commit that an import uses. */
export interface Commit {
  tree: string
  message: string
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a tree object. Throws a `GitPackError` (`invalid`) when it is truncated. */
export function parseTree(bytes: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at)
    const end = bytes.indexOf(0, space)
    if (space < 0 || end < 0 || end + 21 > bytes.length) throw invalidPack('a tree that is cut off')
    const mode = bytes.toString('latin1', at, space)
    entries.push({ mode, name: decode(bytes.subarray(space + 1, end)), oid: bytes.toString('hex', end + 1, end + 21) })
    at = end + 21
  }
  return entries
}

/** Parses the tree id and the message of a commit object. Throws a `GitPackError` (`invalid`) without a tree. */
export function parseCommit(bytes: Buffer): Commit {
  const text = bytes.toString('utf8')
  const tree = /^tree ([0-9a-f]{40})\n/.exec(text)?.[1]
  if (!tree) throw invalidPack('a commit without a tree')
  const end = text.indexOf('\n\n')
  return { tree, message: end < 0 ? '' : text.slice(end + 2).trimEnd() }
}

function decode(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
