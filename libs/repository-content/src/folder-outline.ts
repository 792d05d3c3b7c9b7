import { ImportFailure } from './import-failure.ts'
import { bounds } from './limits.ts'
import type { Outline, OutlineEntry } from './outline.ts'
import { baseName, isMarkdown } from '@recto/repository-format'

const order = new Intl.Collator('en', { numeric: true })

interface Folder {
  readme?: string
  pages: string[]
  folders: Map<string, Folder>
}

/** Builds the tree of a repository without SUMMARY.md: a folder is a page with the text of its README, and entries are sorted by name. */
export function outlineOfFolders(paths: string[], place: { root: string; readme: string }): Outline {
  const top: Folder = { pages: [], folders: new Map() }
  const prefix = place.root === '' ? 0 : place.root.length + 1
  for (const path of paths.filter(isMarkdown)) {
    const names = path.slice(prefix).split('/')
    if (names.some(name => name.startsWith('.') || name === 'node_modules')) continue
    if (names.length > bounds.depth)
      throw new ImportFailure('too_large', `The pages are nested more than ${bounds.depth} folders deep`, { path })
    put(top, names, path)
  }
  const home = place.readme !== top.readme && paths.includes(place.readme) ? place.readme : top.readme
  if (top.readme !== undefined && top.readme !== home) top.pages.push(top.readme)
  const rest = entriesOf(top, home)
  return { entries: home === undefined ? rest : [{ kind: 'page', path: home, children: [] }, ...rest], warnings: [] }
}

function put(top: Folder, names: string[], path: string) {
  let folder = top
  for (const name of names.slice(0, -1)) {
    const next: Folder = folder.folders.get(name) ?? { pages: [], folders: new Map() }
    folder.folders.set(name, next)
    folder = next
  }
  if (/^readme\.(md|markdown)$/i.test(baseName(path)) && folder.readme === undefined) folder.readme = path
  else folder.pages.push(path)
}

function entriesOf(folder: Folder, home: string | undefined): OutlineEntry[] {
  const pages = folder.pages
    .filter(path => path !== home)
    .map((path): [string, OutlineEntry] => [
      baseName(path).replace(/\.[^.]+$/, ''),
      { kind: 'page', path, children: [] },
    ])
  const folders = [...folder.folders].map(([name, below]): [string, OutlineEntry] => [
    name,
    folderEntry(name, below, home),
  ])
  return [...pages, ...folders].sort(([a], [b]) => order.compare(a, b) || (a < b ? -1 : 1)).map(([, entry]) => entry)
}

function folderEntry(name: string, folder: Folder, home: string | undefined): OutlineEntry {
  const children = entriesOf(folder, home)
  if (folder.readme !== undefined && folder.readme !== home) return { kind: 'page', path: folder.readme, children }
  return { kind: 'text', title: name, children }
}
