import { decodeUriComponent } from '@recto/text'
import { Collector } from './collector.ts'
import { type CrawledPage, type CrawledSite, crawlSite } from './crawl.ts'
import { fetchImages } from './images.ts'
import { type LinkTargets, resourceKey } from './links.ts'
import type { ConvertedPage, ConvertedSet } from './model.ts'
import type { ConvertTools } from './tools.ts'
import { cleanName, slugOf, titleOfName, uniqueNames } from './paths.ts'

interface Node {
  name: string
  page?: CrawledPage
  nodes: Map<string, Node>
}

/** Converts the pages of a website below a URL. Their paths make the tree; links between them and images become part of the set. */
export async function convertWebsite(url: string, tools: ConvertTools): Promise<ConvertedSet> {
  const collector = new Collector(tools)
  const site = await crawlSite(url, collector)
  const tree = treeOf(site)
  const files = new Map<CrawledPage, string>()
  assignFiles(tree, { folder: '', unique: uniqueNames(), files })
  const images = await fetchImages(collector, new Set(site.pages.flatMap(({ facts }) => facts.images)))
  const targets = { ...images, ...pageTargets(site, files) }
  const converted = new Map<CrawledPage, { title: string; markdown: string }>()
  for (const page of site.pages) await convertPage(page, { collector, files, targets, converted })
  return collector.set(pagesOf(tree, { files, converted }, true))
}

interface Conversion {
  collector: Collector
  files: Map<CrawledPage, string>
  targets: LinkTargets
  converted: Map<CrawledPage, { title: string; markdown: string }>
}

async function convertPage(page: CrawledPage, { collector, files, targets, converted }: Conversion): Promise<void> {
  const { tools } = collector
  tools.signal?.throwIfAborted()
  try {
    const input = { html: page.html, base: page.url, file: files.get(page) ?? '', targets }
    const { title, markdown, files: embedded } = await tools.run('htmlToMarkdown', input)
    await collector.addEmbedded(embedded)
    converted.set(page, { title, markdown })
    collector.done()
  } catch (error) {
    tools.signal?.throwIfAborted()
    collector.warn(
      page.url,
      `The page was not imported: ${error instanceof Error ? error.message : 'it cannot be converted'}`,
    )
  }
}

function treeOf({ scope, pages }: CrawledSite): Node {
  const root: Node = { name: '', nodes: new Map() }
  for (const page of pages) {
    const path = new URL(page.url).pathname.slice(scope.prefix.length)
    const names = path.split('/').filter(name => name !== '' && !/^index\.[a-z]+$/i.test(name))
    let node = root
    for (const name of names) {
      const next: Node = node.nodes.get(name) ?? {
        name: (decodeUriComponent(name) ?? name).replace(/\.(?:x?html?|php|aspx?)$/i, ''),
        nodes: new Map(),
      }
      node.nodes.set(name, next)
      node = next
    }
    node.page ??= page
  }
  return root
}

function assignFiles(
  { name, page, nodes }: Node,
  { folder, unique, files }: { folder: string; unique: (path: string) => string; files: Map<CrawledPage, string> },
): void {
  const own = name === '' ? folder : `${folder}${cleanName(name, 'page')}/`
  const isFolder = nodes.size > 0 || name === ''
  if (page) files.set(page, unique(isFolder ? `${own}README.md` : `${own.slice(0, -1)}.md`))
  for (const node of nodes.values()) assignFiles(node, { folder: own, unique, files })
}

function pageTargets({ pages, aliases }: CrawledSite, files: Map<CrawledPage, string>): LinkTargets {
  const targets: LinkTargets = {}
  for (const page of pages) targets[resourceKey(new URL(page.url))] ??= files.get(page) ?? ''
  for (const [key, url] of aliases) {
    const target = targets[resourceKey(new URL(url))]
    if (target !== undefined) targets[key] ??= target
  }
  return targets
}

type ConvertedFiles = Pick<Conversion, 'files' | 'converted'>

function pagesOf(node: Node, conversion: ConvertedFiles, isTop: boolean): ConvertedPage[] {
  const pages = Array.from(node.nodes.values()).flatMap(child => pagesOf(child, conversion, false))
  const result = node.page && conversion.converted.get(node.page)
  const file = node.page && conversion.files.get(node.page)
  if (!result || file === undefined) {
    if (isTop || pages.length === 0) return pages
    return [{ type: 'document', title: titleOfName(node.name), slug: slugOf(node.name), pages }]
  }
  const slug = slugOf(isTop ? result.title : node.name)
  const page: ConvertedPage = {
    type: 'document',
    title: result.title,
    slug,
    file,
    markdown: result.markdown,
    pages: [],
  }
  return isTop ? [page, ...pages] : [{ ...page, pages }]
}
