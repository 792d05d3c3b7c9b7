import { baseName, folderOf, isIndex, titleOfName } from './paths.ts'
import type { OutlineEntry } from './summary.ts'

interface Folder {
  index?: string
  pages: string[]
  folders: Map<string, Folder>
}

const order = new Intl.Collator('en', { numeric: true })
const maxDepth = 50

/** The table of contents that folders make: a folder is its README or index page, and all is sorted by name. */
export function outlineOfFolders(paths: string[]): OutlineEntry[] {
  const top: Folder = { pages: [], folders: new Map() }
  for (const path of paths) put(top, path)
  const home: OutlineEntry[] = top.index === undefined ? [] : [{ kind: 'page', path: top.index, children: [] }]
  return [...home, ...entriesOf(top)]
}

function put(top: Folder, path: string): void {
  let folder = top
  const names = folderOf(path) === '' ? [] : folderOf(path).split('/').slice(0, maxDepth)
  for (const name of names) {
    const next = folder.folders.get(name) ?? { pages: [], folders: new Map() }
    folder.folders.set(name, next)
    folder = next
  }
  if (isIndex(path) && folder.index === undefined) folder.index = path
  else folder.pages.push(path)
}

function entriesOf(folder: Folder): OutlineEntry[] {
  const pages = folder.pages.map((path): [string, OutlineEntry] => [
    baseName(path).replace(/\.[^.]+$/, ''),
    { kind: 'page', path, children: [] },
  ])
  const folders = Array.from(folder.folders, ([name, below]): [string, OutlineEntry] => [
    name,
    folderEntry(name, below),
  ])
  return [...pages, ...folders].sort(([a], [b]) => order.compare(a, b)).map(([, entry]) => entry)
}

function folderEntry(name: string, folder: Folder): OutlineEntry {
  const children = entriesOf(folder)
  return folder.index === undefined
    ? { kind: 'page', title: titleOfName(name), children }
    : { kind: 'page', path: folder.index, children }
}
