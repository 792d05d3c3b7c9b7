import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import pMap from 'p-map'
import { firstHeading, readPageSource } from '@recto/markdown'
import { contentTypeOf, isContentFile } from '../models/file-kinds.ts'
import { imageDimensions } from '../models/image-dimensions.ts'
import type { Warning } from '../models/import-failure.ts'
import { titleOf, type Manifest, type PageInfo } from '../models/import-set.ts'
import { baseName, isBelow, isMarkdown, joinInside } from '@recto/repository-format'
import { referencedPaths } from '../models/references.ts'
import type { BlobUploader } from './blob-uploader.ts'
import type { RepositoryFile } from './list-files.ts'
import type { MissingFiles } from './missing-files.ts'

/** The files of the content folder, and which of them are pages. */
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
  await reading.missing.fetch(assets.filter(file => isRead(file, reading)))
  const files = await mapFiles(assets, async file => {
    const found = await readFile(file, reading)
    reading.onStep(++done, documents.length + assets.length)
    return found
  })
  const reusableContents = documents.filter(isInclude).flatMap(({ path, oid }) => {
    const info = infos.get(path)
    return info ? [{ title: titleOf(path, info), git: { path, oid }, document: info.document }] : []
  })
  return { pages: infos, files: files.filter(file => file !== undefined), reusableContents }
}

function readDocument(
  file: RepositoryFile,
  found: { reading: Reading; referenced: Set<string> },
): Promise<PageInfo | undefined> {
  const { uploader, maxPageBytes } = found.reading
  return uploader.withFile(file, bytes => readPage(file, bytes, found), maxPageBytes)
}

async function readPage(
  file: RepositoryFile,
  bytes: Buffer,
  { reading, referenced }: { reading: Reading; referenced: Set<string> },
): Promise<PageInfo | undefined> {
  if (skipLfsPointer(file, bytes, reading)) return undefined
  const text = bytes.toString('utf8')
  const { frontMatter, body, warnings } = readPageSource(text, file.path)
  reading.warnings.push(...warnings)
  for (const path of referencedPaths(text, file.path)) referenced.add(path)
  const document = await reading.uploader.uploadDocument(file, bytes)
  return { oid: file.oid, document, frontMatter, heading: firstHeading(body) }
}

function readFile(file: RepositoryFile, reading: Reading): Promise<Manifest['files'][number] | undefined> {
  const contentType = contentTypeOf(file.path)
  if (!isRead(file, reading)) return uploadFile(file, { reading, contentType })
  return reading.uploader.withFile(file, bytes => uploadFile(file, { reading, contentType, bytes }))
}

/** Whether the bytes of a file are needed. An image is read even when it is known: its dimensions are not. */
function isRead({ path, oid }: RepositoryFile, { uploader }: Reading): boolean {
  return contentTypeOf(path).startsWith('image/') || !uploader.isKnown(oid)
}

async function uploadFile(
  file: RepositoryFile,
  { reading, contentType, bytes }: { reading: Reading; contentType: string; bytes?: Buffer },
): Promise<Manifest['files'][number] | undefined> {
  if (bytes && skipLfsPointer(file, bytes, reading)) return undefined
  const dimensions = bytes && imageDimensions(bytes, contentType)
  const { hash, size } = await reading.uploader.upload(file, bytes)
  return {
    name: baseName(file.path),
    git: { path: file.path, oid: file.oid },
    hash,
    size,
    contentType,
    ...(dimensions && { dimensions }),
  }
}

function skipLfsPointer({ path }: RepositoryFile, bytes: Buffer, { warnings }: Reading): boolean {
  const isPointer =
    bytes.length < 1_024 && bytes.toString('latin1', 0, 43).startsWith('version https://git-lfs.github.com/spec/v1')
  if (isPointer) warnings.push({ path, message: 'The file is kept in Git LFS, which is not supported; it is left out' })
  return isPointer
}

/** Maps items with bounded concurrency; parsing is synchronous, so every few items other work gets its turn. */
function mapFiles<Result>(files: RepositoryFile[], work: (file: RepositoryFile) => Promise<Result>): Promise<Result[]> {
  const mapper = async (file: RepositoryFile, index: number): Promise<Result> => {
    const result = await work(file)
    if (index % 32 === 31) await yieldToEventLoop()
    return result
  }
  return pMap(files, mapper, { concurrency: 16 })
}
