import { decodeUriComponent } from '@recto/text'
import type { Collector } from './collector.ts'
import { detectContentType, sniffedBytes } from './content-type.ts'
import { type LinkTargets, resourceKey } from './links.ts'
import { baseName } from './paths.ts'

/** Fetches images of pages and stores them as files. What is no image, or cannot be fetched, stays a link, with a warning. */
export async function fetchImages(collector: Collector, urls: Iterable<string>): Promise<LinkTargets> {
  const targets: LinkTargets = {}
  const { maxFiles } = collector.tools.limits
  for (const url of urls) {
    const key = resourceKey(new URL(url), { query: true })
    if (Object.hasOwn(targets, key)) continue
    collector.expect(1)
    if (collector.total > maxFiles)
      collector.warn(url, `The image was not fetched: at most ${maxFiles} pages and files are imported`)
    else {
      const path = await fetchImage(collector, url)
      if (path !== undefined) targets[key] = path
    }
  }
  return targets
}

async function fetchImage(collector: Collector, url: string): Promise<string | undefined> {
  collector.tools.signal?.throwIfAborted()
  try {
    const { status, bytes } = await collector.tools.fetch(url, { maxBytes: collector.bytesLeft })
    if (status !== 200) throw new Error(`the server answered ${status}`)
    collector.spend(bytes.byteLength)
    const name = nameIn(url)
    const contentType = await detectContentType(bytes.subarray(0, sniffedBytes), name)
    if (!contentType.startsWith('image/')) throw new Error('it is no image')
    const { path } = await collector.addFile(collector.assetPath(name, contentType), bytes)
    collector.done()
    return path
  } catch (error) {
    collector.tools.signal?.throwIfAborted()
    collector.warn(url, `The image was not fetched: ${error instanceof Error ? error.message : 'it cannot be read'}`)
    return undefined
  }
}

function nameIn(url: string): string {
  const name = baseName(new URL(url).pathname)
  return decodeUriComponent(name) ?? name
}
