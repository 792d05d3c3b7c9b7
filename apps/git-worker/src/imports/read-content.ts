import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import pMap from 'p-map'
import { firstHeading, readPageSource } from '@recto/markdown'
import { detectContentType, dimensionsOf, sniffedBytes } from '@recto/convert/content-type'
import {
  isContentFile,
  type Warning,
  titleOf,
  type Manifest,
  type PageInfo,
  readUtf8,
  referencedPaths,
  isLfsPointer,
} from '@recto/repository-content'
import { baseName, isBelow, isMarkdown, joinInside } from '@recto/repository-format'
import type { BlobUploader } from '../files/blob-uploader.ts'
import type { RepositoryFile } from '../files/list-files.ts'
import type { MissingFiles } from '../clones/missing-files.ts'

/** The files of the content folder, with the paths of pages. */
export interface ContentPlan {
  root: string
  files: RepositoryFile[]
  pages: ReadonlySet<string>
}

/** The contents of a repository whose bytes are uploaded. */
export interface ReadContent {
  pages: Map<string, PageInfo>
  files: Manifest['files']
  reusableContents: Manifest['reusableContents']
}

interface Reading {
  uploader: BlobUploader
  missing: MissingFiles
  maxPageBytes: number
  warnings: Warning[]
  onStep(done: number, total: number): void
}

/** Reads pages, reusable contents and files, and uploads their bytes. */
export async function readContent(plan: ContentPlan, reading: Reading): Promise<ReadContent> {
  const includes = joinInside(plan.root, '.gitbook/includes') ?? '.gitbook/includes'
  const isInclude = ({ path }: RepositoryFile) => isBelow(path, includes) && isMarkdown(path)
  const documents = plan.files.filter(file => plan.pages.has(file.path) || isInclude(file))
  const referenced = new Set<string>()
  const infos = new Map<string, PageInfo>()
  let done = 0
  await reading.missing.fetch(documents)
  await mapFiles(documents, async file => {
    const info = await readDocument(file, { reading, referenced })
    if (info) infos.set(file.path, info)
    reading.onStep(++done, plan.files.length)
  })
  const assets = plan.files.filter(
    ({ path }) => !plan.pages.has(path) && isContentFile(path, { root: plan.root, referenced }),
  )
  await reading.missing.fetch(assets)
  const files = await mapFiles(assets, async file => {
    const manifestEntry = await readFile(file, reading)
    reading.onStep(++done, documents.length + assets.length)
    return manifestEntry
  })
  const reusableContents = documents.filter(isInclude).flatMap(({ path, oid }) => {
    const info = infos.get(path)
    return info ? [{ title: titleOf(path, info), git: { path, oid }, document: info.document }] : []
  })
  return { pages: infos, files: files.filter(file => file !== undefined), reusableContents }
}

function readDocument(
  file: RepositoryFile,
  context: { reading: Reading; referenced: Set<string> },
): Promise<PageInfo | undefined> {
  const { uploader, maxPageBytes } = context.reading
  return uploader.withFile(file, bytes => readPage(file, bytes, context), maxPageBytes)
}

async function readPage(
  file: RepositoryFile,
  bytes: Buffer,
  { reading, referenced }: { reading: Reading; referenced: Set<string> },
): Promise<PageInfo | undefined> {
  if (skipLfsPointer(file, bytes, reading)) return undefined
  const text = readUtf8(file.path, bytes, reading.warnings)
  const { frontMatter, body, warnings } = readPageSource(text, file.path)
  reading.warnings.push(...warnings)
  for (const path of referencedPaths(text, file.path)) referenced.add(path)
  const document = await reading.uploader.uploadDocument(file, bytes)
  return { oid: file.oid, document, frontMatter, heading: firstHeading(body) }
}

type ManifestFile = Manifest['files'][number]

async function readFile(file: RepositoryFile, reading: Reading): Promise<ManifestFile | undefined> {
  const { uploader } = reading
  const whole = () => uploader.withFile(file, bytes => uploadFile(file, { reading, bytes }))
  if (!uploader.isKnown(file.oid)) return whole()
  const blob = await uploader.upload(file)
  const probe = await probeFile(await uploader.readStart(file, sniffedBytes), file)
  const needsFullRead = probe.contentType.startsWith('image/') && !probe.dimensions && blob.size > sniffedBytes
  return needsFullRead ? whole() : manifestFile(file, { ...probe, ...blob })
}

async function uploadFile(
  file: RepositoryFile,
  { reading, bytes }: { reading: Reading; bytes: Buffer },
): Promise<ManifestFile | undefined> {
  if (skipLfsPointer(file, bytes, reading)) return undefined
  const probe = await probeFile(bytes.subarray(0, sniffedBytes), file)
  // Some images have their dimensions far from their start.
  const dimensions = probe.dimensions ?? dimensionsOf(bytes, probe.contentType)
  return manifestFile(file, { ...probe, dimensions, ...(await reading.uploader.upload(file, bytes)) })
}

interface FileProbe {
  contentType: string
  dimensions: ManifestFile['dimensions']
}

/** Detects content type and dimensions from the first bytes of a file, so that the result does not depend on reading the rest. */
async function probeFile(head: Buffer, { path }: RepositoryFile): Promise<FileProbe> {
  const contentType = await detectContentType(head, baseName(path))
  return { contentType, dimensions: dimensionsOf(head, contentType) }
}

function manifestFile(
  { path, oid }: RepositoryFile,
  { contentType, dimensions, hash, size }: FileProbe & { hash: string; size: number },
): ManifestFile {
  return {
    name: baseName(path),
    git: { path, oid },
    hash,
    size,
    contentType,
    ...(dimensions && { dimensions }),
  }
}

function skipLfsPointer({ path }: RepositoryFile, bytes: Buffer, { warnings }: Reading): boolean {
  const isPointer = isLfsPointer(bytes)
  if (isPointer) warnings.push({ path, message: 'The file is kept in Git LFS, which is not supported; it is left out' })
  return isPointer
}

/** Maps items with bounded concurrency; parsing is synchronous, so it yields to other work every few items. */
function mapFiles<Result>(files: RepositoryFile[], work: (file: RepositoryFile) => Promise<Result>): Promise<Result[]> {
  const mapper = async (file: RepositoryFile, index: number): Promise<Result> => {
    const result = await work(file)
    if (index % 32 === 31) await yieldToEventLoop()
    return result
  }
  return pMap(files, mapper, { concurrency: 16 })
}
