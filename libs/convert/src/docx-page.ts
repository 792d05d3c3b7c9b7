import { readFile } from 'node:fs/promises'
import { Collector } from './collector.ts'
import { ConvertFailure } from './convert-failure.ts'
import type { ConvertedSet } from './model.ts'
import type { ConvertTools } from './tools.ts'
import { slugOf } from './paths.ts'
import { withZip } from './zip.ts'

/** Converts a Word document to one page; its images become files. */
export async function convertDocxUrl(url: string, tools: ConvertTools): Promise<ConvertedSet> {
  const path = await tools.download(url, { maxBytes: tools.limits.maxBytes })
  const collector = new Collector(tools)
  collector.expect(1)
  await requireHarmless(path, collector)
  const bytes = await readFile(path)
  const { title, markdown, files, messages } = await tools.run('docxToMarkdown', { bytes, file: 'README.md' })
  for (const message of messages) collector.warn(url, message)
  await collector.addEmbedded(files)
  collector.done()
  const slug = slugOf(title)
  return collector.set([{ type: 'document', title, slug, file: `${slug}.md`, markdown, pages: [] }])
}

/** Decompresses a document once without keeping anything: the converter itself has no limits. */
async function requireHarmless(path: string, collector: Collector): Promise<void> {
  const { maxPageBytes } = collector.tools.limits
  await withZip(path, collector, async ({ paths, stream }) => {
    if (!paths.includes('word/document.xml')) throw new ConvertFailure('invalid', 'This is not a Word document (docx)')
    for (const name of paths) {
      let size = 0
      for await (const chunk of await stream(name)) {
        collector.spend(chunk.byteLength)
        size += chunk.byteLength
        if (/\.(?:xml|rels)$/i.test(name) && size > maxPageBytes)
          throw new ConvertFailure('too_large', `${name} of the document is larger than ${maxPageBytes} bytes`)
      }
    }
  })
}
