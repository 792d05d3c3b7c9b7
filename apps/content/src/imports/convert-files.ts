import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from '@recto/blobs'
import {
  convertDocxUrl,
  type ConvertedPage,
  type ConvertedSet,
  convertHtmlUrl,
  convertMarkdownUrl,
  type ConvertTools,
  convertZipUrl,
  slugOf,
  uniqueNames,
} from '@recto/convert'
import { createId } from '@recto/operation'
import { withSettingsOfSet } from '../conversions/settings-of-set.rules.ts'

/** A file that was uploaded, with its blob. */
export interface SourceFile {
  upload: string
  name: string
  hash: string
}

type Converter = (url: string, tools: ConvertTools) => Promise<ConvertedSet>

/** How files are converted, by the end of their names. */
const converters: Record<string, Converter> = {
  md: convertMarkdownUrl,
  markdown: convertMarkdownUrl,
  html: convertHtmlUrl,
  htm: convertHtmlUrl,
  docx: convertDocxUrl,
  zip: convertZipUrl,
}

/** Why a file cannot be imported, as the end of a sentence; undefined when it can. */
export function fileFault(name: string): string | undefined {
  return converterOf(name)
    ? undefined
    : 'must be a file of Markdown, HTML or Word, or a zip file: .md, .html, .docx or .zip'
}

function converterOf(name: string): Converter | undefined {
  const [, end = ''] = /\.([a-z]+)$/i.exec(name) ?? []
  return Object.hasOwn(converters, end.toLowerCase()) ? converters[end.toLowerCase()] : undefined
}

interface Place {
  tools: ConvertTools
  blobs: BlobStore
  /** A folder for temporary files. */
  folder: string
}

/** Converts files one after another. What several of them hold is in a folder of each, so that no path is there twice. */
export async function convertFiles(files: readonly SourceFile[], place: Place): Promise<ConvertedSet> {
  const unique = uniqueNames([])
  const sets: ConvertedSet[] = []
  for (const file of files) {
    place.tools.signal?.throwIfAborted()
    const convert = converterOf(file.name)
    if (!convert) continue
    const set = withSettingsOfSet(await convert(addressOf(file), fileTools(file, place)))
    sets.push(files.length === 1 ? set : inFolder(set, unique(slugOf(file.name.replace(/\.[a-z]+$/i, '')))))
  }
  return {
    pages: sets.flatMap(({ pages }) => pages),
    files: sets.flatMap(({ files }) => files),
    warnings: sets.flatMap(({ warnings }) => warnings),
    total: sum(sets, ({ total }) => total),
    imported: sum(sets, ({ imported }) => imported),
  }
}

/** An address that leads to nothing else: what a page in it links to relatively is not there. */
function addressOf({ name }: SourceFile): string {
  return `http://upload.invalid/${encodeURIComponent(name)}`
}

/** Reads the bytes of a file from the blob store, and all else from the web. */
function fileTools(file: SourceFile, { tools, blobs, folder }: Place): ConvertTools {
  const address = addressOf(file)
  const { host } = new URL(address)
  return {
    ...tools,
    async fetch(url, { maxBytes }) {
      if (url === address) {
        const bytes = await blobs.bytes(file.hash, { maxBytes })
        return { status: 200, url, contentType: '', bytes }
      }
      if (new URL(url).host === host) return { status: 404, url, contentType: '', bytes: new Uint8Array() }
      return tools.fetch(url, { maxBytes })
    },
    async download() {
      const path = join(folder, createId())
      const { body } = await blobs.get(file.hash)
      await pipeline(body, createWriteStream(path))
      return path
    },
  }
}

function inFolder(set: ConvertedSet, folder: string): ConvertedSet {
  const moved = (page: ConvertedPage): ConvertedPage => ({
    ...page,
    ...(page.file !== undefined && { file: `${folder}/${page.file}` }),
    pages: page.pages.map(moved),
  })
  return {
    ...set,
    pages: set.pages.map(moved),
    files: set.files.map(file => ({ ...file, path: `${folder}/${file.path}` })),
  }
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
