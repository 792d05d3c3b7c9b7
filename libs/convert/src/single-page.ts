import { decodeUriComponent } from '@recto/text'
import { Collector } from './collector.ts'
import { decodeText } from './content-type.ts'
import { ConvertFailure } from './convert-failure.ts'
import { fetchImages } from './images.ts'
import type { LinkTargets } from './links.ts'
import type { ConvertedSet, FetchedResource } from './model.ts'
import type { ConvertTools } from './tools.ts'
import { baseName, slugOf, titleOfName } from './paths.ts'

/** Converts one Markdown file; its images become files. */
export async function convertMarkdownUrl(url: string, tools: ConvertTools): Promise<ConvertedSet> {
  const { collector, text, source } = await fetchPage(url, tools)
  const file = fileOf(source.url)
  const convert = (targets: LinkTargets) => tools.run('rewriteMarkdown', { text, base: source.url, file, targets })
  const { images } = await convert({})
  const {
    title = titleOfName(baseName(file)),
    fault,
    images: _images,
    ...page
  } = await convert(await fetchImages(collector, images))
  if (fault !== undefined) collector.warn(url, fault)
  collector.done()
  return collector.set([{ type: 'document', title, slug: slugOf(file.replace(/\.md$/, '')), file, ...page, pages: [] }])
}

/** Converts one HTML page; its images become files. */
export async function convertHtmlUrl(url: string, tools: ConvertTools): Promise<ConvertedSet> {
  const { collector, text, source } = await fetchPage(url, tools)
  const facts = await tools.run('htmlFacts', { html: text, base: source.url })
  const file = fileOf(source.url)
  const targets = await fetchImages(collector, facts.images)
  const { title, markdown, files } = await tools.run('htmlToMarkdown', { html: text, base: source.url, file, targets })
  await collector.addEmbedded(files)
  collector.done()
  return collector.set([{ type: 'document', title, slug: slugOf(title), file, markdown, pages: [] }])
}

async function fetchPage(
  url: string,
  tools: ConvertTools,
): Promise<{ collector: Collector; text: string; source: FetchedResource }> {
  const collector = new Collector(tools)
  collector.expect(1)
  const source = await tools.fetch(url, { maxBytes: Math.min(tools.limits.maxPageBytes, collector.bytesLeft) })
  if (source.status !== 200) throw answered(url, source.status)
  collector.spend(source.bytes.byteLength)
  return { collector, source, text: decodeText(source.bytes, source.contentType) }
}

/** The failure of a source whose server answers something else than its content. */
export function answered(url: string, status: number): ConvertFailure {
  return new ConvertFailure('unreachable', `The server ${new URL(url).host} answered ${status}`)
}

/** The path of a page in the set, from its URL. */
function fileOf(url: string): string {
  const encodedName = baseName(new URL(url).pathname)
  const name = (decodeUriComponent(encodedName) ?? encodedName).replace(/\.[a-z]{1,8}$/i, '')
  return `${/^(?:readme|index)?$/i.test(name) ? 'README' : slugOf(name)}.md`
}
