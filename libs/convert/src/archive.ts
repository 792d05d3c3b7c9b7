import type { Collector } from './collector.ts'
import { decodeText } from './content-type.ts'
import { ConvertFailure } from './convert-failure.ts'
import { archiveUrl, type LinkTargets, resourceKey } from './links.ts'
import type { ConvertedPage, ConvertedSet } from './model.ts'
import { outlineOfFolders } from './folder-outline.ts'
import { baseName, folderOf, isHtml, isIndex, isMarkdown, joinPath, slugOf, titleOfName, uniqueNames } from './paths.ts'
import type { OutlineEntry } from './summary.ts'

/** Files in folders: a zip file, or a folder of templates. */
export interface Archive {
  /** Paths of all files, relative to the top. */
  paths: string[]
  /** Reads a file to its end; throws above so many bytes. */
  read(path: string, maxBytes: number): Promise<Uint8Array>
  /** Reads a file in pieces. */
  stream(path: string): Promise<AsyncIterable<Uint8Array>>
}

/** Names that belong to systems and tools, not to the content. */
const ignored = /(?:^|\/)(?:\.git|__MACOSX|\.DS_Store|Thumbs\.db|\.gitbook\.yaml)(?:\/|$)/

/** Recto's own file of a repository, and the bytes of it that are read. */
const settingsFile = '.gitbook/recto.yaml'
const maxSettingsBytes = 256 * 1024

/**
 * Converts Markdown and HTML pages and files in folders. `SUMMARY.md` orders the pages, else their folders do; pages that it does not
 * name come last and are hidden. One folder around everything is left out.
 */
export async function convertArchive(archive: Archive, collector: Collector): Promise<ConvertedSet> {
  const { top, paths } = withoutTopFolder(archive.paths.filter(path => !ignored.test(path)))
  const source = (path: string) => joinPath(top, path)
  const isPage = (path: string) => (isMarkdown(path) || isHtml(path)) && path !== 'SUMMARY.md'
  const pages = paths.filter(isPage)
  const files = paths.filter(path => !isPage(path) && path !== 'SUMMARY.md' && path !== settingsFile)
  if (pages.length === 0) throw new ConvertFailure('invalid', 'There is no Markdown or HTML page in it')
  collector.expect(pages.length + files.length)
  const outline = paths.includes('SUMMARY.md')
    ? await summary(archive, source('SUMMARY.md'), collector)
    : outlineOfFolders(pages)
  const targets = targetsOf(pages, files)
  for (const path of files) {
    collector.tools.signal?.throwIfAborted()
    await collector.addStream(path, await archive.stream(source(path)))
    collector.done()
  }
  const converted = new Map<string, ConvertedPage>()
  for (const path of pages) {
    const page = await convertPage(path, { archive, source, targets, collector })
    if (page) converted.set(path, page)
  }
  const settings = paths.includes(settingsFile)
    ? await settingsText(archive, source(settingsFile), collector)
    : undefined
  const set = collector.set(placePages(outline, converted, collector))
  return settings === undefined ? set : { ...set, settings: { path: settingsFile, text: settings } }
}

/** The text of Recto's own file; what it restricts would be public without it, so one that cannot be read ends the conversion. */
async function settingsText(archive: Archive, path: string, collector: Collector): Promise<string> {
  try {
    const bytes = await archive.read(path, maxSettingsBytes)
    collector.spend(bytes.byteLength)
    return decodeText(bytes)
  } catch (error) {
    collector.tools.signal?.throwIfAborted()
    if (error instanceof ConvertFailure && error.reason === 'too_large' && collector.bytesLeft < 0) throw error
    const reason = error instanceof Error ? error.message : 'unreadable'
    throw new ConvertFailure('invalid', `${settingsFile} cannot be read: ${reason}`, { cause: error })
  }
}

async function summary(archive: Archive, path: string, collector: Collector): Promise<OutlineEntry[]> {
  const bytes = await archive.read(path, collector.tools.limits.maxPageBytes)
  collector.spend(bytes.byteLength)
  return collector.tools.run('readOutline', { text: decodeText(bytes), path: 'SUMMARY.md' })
}

/** The paths below a folder that holds everything, as in archives of repositories. */
function withoutTopFolder(paths: string[]): { top: string; paths: string[] } {
  const [first = ''] = paths
  const top = first.includes('/') ? first.slice(0, first.indexOf('/')) : ''
  const isAround = top !== '' && !top.startsWith('.') && paths.every(path => path.startsWith(`${top}/`))
  return isAround ? { top, paths: paths.map(path => path.slice(top.length + 1)) } : { top: '', paths }
}

/** Where links to the pages and files of the archive lead: HTML pages become Markdown files, a folder stands for its index. */
function targetsOf(pages: string[], files: string[]): LinkTargets {
  const unique = uniqueNames(files)
  const targets: LinkTargets = {}
  const key = (path: string) => resourceKey(new URL(archiveUrl(path)))
  for (const path of files) targets[key(path)] = path
  for (const path of [...pages].sort((a, b) => Number(isHtml(a)) - Number(isHtml(b)))) {
    const file = isHtml(path) ? htmlPath(path) : path
    targets[key(path)] = unique(file)
  }
  for (const path of pages.filter(isIndex)) targets[key(folderOf(path))] ??= targets[key(path)] ?? path
  return targets
}

const htmlPath = (path: string) =>
  isIndex(path) ? joinPath(folderOf(path), 'README.md') : path.replace(/\.[a-z]+$/i, '.md')

interface PageTools {
  archive: Archive
  source(path: string): string
  targets: LinkTargets
  collector: Collector
}

/** Converts a page; what cannot be read is a warning, and the others are converted all the same. */
async function convertPage(
  path: string,
  { archive, source, targets, collector }: PageTools,
): Promise<ConvertedPage | undefined> {
  const { tools } = collector
  tools.signal?.throwIfAborted()
  const base = archiveUrl(path)
  const file = targets[resourceKey(new URL(base))] ?? path
  try {
    const bytes = await archive.read(source(path), tools.limits.maxPageBytes)
    collector.spend(bytes.byteLength)
    const text = decodeText(bytes)
    const slug = slugOf(isIndex(path) ? baseName(folderOf(path)) || 'readme' : baseName(path).replace(/\.[^.]+$/, ''))
    const page = isHtml(path)
      ? await htmlPage({ html: text, base, file, targets }, collector)
      : await markdownPage({ text, base, file, targets }, { path, collector })
    collector.done()
    return { type: 'document', slug, file, ...page, pages: [] }
  } catch (error) {
    tools.signal?.throwIfAborted()
    if (error instanceof ConvertFailure && error.reason === 'too_large' && collector.bytesLeft < 0) throw error
    collector.warn(path, `The page was not imported: ${error instanceof Error ? error.message : 'it cannot be read'}`)
    return undefined
  }
}

async function htmlPage(
  input: { html: string; base: string; file: string; targets: LinkTargets },
  collector: Collector,
) {
  const { title, markdown, files } = await collector.tools.run('htmlToMarkdown', input)
  await collector.addEmbedded(files)
  return { title, markdown }
}

async function markdownPage(
  input: { text: string; base: string; file: string; targets: LinkTargets },
  { path, collector }: { path: string; collector: Collector },
) {
  const { fault, images: _images, title, ...page } = await collector.tools.run('rewriteMarkdown', input)
  if (fault !== undefined) collector.warn(path, fault)
  return { title: title ?? titleOfName(isIndex(path) ? baseName(folderOf(path)) || 'README' : baseName(path)), ...page }
}

/** The tree of the outline, each page once; pages that it does not name follow, hidden. */
function placePages(
  outline: OutlineEntry[],
  converted: Map<string, ConvertedPage>,
  collector: Collector,
): ConvertedPage[] {
  const left = new Map(converted)
  const place = (entry: OutlineEntry, isTop: boolean): ConvertedPage[] => {
    const pages = entry.children.flatMap(child => place(child, false))
    const title = entry.title ?? 'Untitled'
    if (entry.kind === 'link') return [{ type: 'link', title, slug: slugOf(title), href: entry.href ?? '', pages }]
    const page = entry.path === undefined ? undefined : left.get(entry.path)
    if (entry.path !== undefined && !page) {
      collector.warn(entry.path, 'The table of contents names this page, which is not there or was named before')
      return pages
    }
    if (!page) {
      const type = entry.kind === 'group' && isTop ? 'group' : 'document'
      return pages.length === 0 ? [] : [{ type, title, slug: slugOf(title), pages }]
    }
    left.delete(entry.path ?? '')
    return [{ ...page, ...(entry.title !== undefined && { title: entry.title }), pages }]
  }
  const outlinePages = outline.flatMap(entry => place(entry, true))
  return [...outlinePages, ...Array.from(left.values(), page => ({ ...page, hidden: true }))]
}
