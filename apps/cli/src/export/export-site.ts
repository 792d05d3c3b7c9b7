import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { IndexedPage } from '@recto/text'
import { makeFolder } from '../folders/make-folder.ts'
import { Crawl, type CrawlOptions, ownFolder } from './crawl.ts'
import { parsePage } from './html-tree.ts'
import { relativeUrl } from './output-paths.rules.ts'
import { redirectPage } from './redirect-page.rules.ts'
import { type PageText, readPageText } from './page-text.rules.ts'

/** How a site is exported. */
export interface ExportOptions extends Omit<CrawlOptions, 'save'> {
  /** Scripts and style of the search, by their names. */
  search: Record<string, Uint8Array | string>
}

/** The result of an export: its size, and the addresses that it could not read. */
export interface ExportResult {
  pages: number
  files: number
  faults: string[]
}

/** Writes a site into a folder, as everybody reads it at an address: pages, what they show, and a search. */
export async function exportSite(address: string, folder: string, options: ExportOptions): Promise<ExportResult> {
  const root = new URL(address.endsWith('/') ? address : `${address}/`)
  const crawl = new Crawl(root, { ...options, save: (file, bytes) => write(folder, file, bytes) })
  await crawl.run()
  const index: IndexedPage[] = []
  for (const resource of crawl.resources.values()) {
    const page = resource.kind === 'page' ? parsePage(resource.bytes.toString()) : undefined
    if (page) index.push(indexedPage(readPageText(page), resource.file))
    const text = page ? crawl.rewrittenPage(resource, page) : crawl.rewritten(resource)
    if (text !== undefined) await write(folder, resource.file, text)
  }
  const titles = new Map(index.map(({ path, title }) => [path, title]))
  for (const { file, page } of crawl.redirections())
    await write(folder, file, redirectPage(relativeUrl(file, page.file), titles.get(page.file) ?? ''))
  for (const [name, content] of Object.entries(options.search)) await write(folder, join(ownFolder, name), content)
  // A script, since a page that was opened as a file can read no JSON.
  const data = JSON.stringify(index).replaceAll('<', '\\u003c')
  await write(folder, join(ownFolder, 'search-index.js'), `globalThis.rectoSearchIndex = ${data}\n`)
  const pages = index.length
  return { pages, files: crawl.resources.size - pages, faults: crawl.faults }
}

function indexedPage({ title, description, sections }: PageText, file: string): IndexedPage {
  return { id: file, title, description, path: file, sections }
}

async function write(folder: string, file: string, content: Uint8Array | string): Promise<void> {
  const path = join(folder, file)
  await makeFolder(dirname(path))
  await writeFile(path, content, { flag: 'wx' })
}
