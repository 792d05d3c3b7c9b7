import { hash } from 'node:crypto'
import { firstHeading, readPageSource } from '@recto/markdown'
import { baseName, isBelow, isMarkdown, joinInside } from '@recto/repository-format'
import {
  type Configuration,
  danglingRedirects,
  projectFolder,
  readConfiguration,
  withExistingFiles,
} from './configuration.ts'
import { isContentFile, isLfsPointer, namedType } from './file-kinds.ts'
import { ImportFailure, type Warning } from './import-failure.ts'
import { buildManifest, type Manifest, type PageInfo, titleOf } from './import-set.ts'
import { bounds, defaultLimits, type Limits } from './limits.ts'
import { pagesOf, type OutlineEntry } from './outline.ts'
import { readUtf8 } from './read-utf8.ts'
import { referencedPaths } from './references.ts'
import {
  loadOutline,
  loadSettings,
  loadTags,
  loadVariables,
  type StructurePart,
  type StructureSource,
} from './repository-structure.ts'

/** A file of a folder or of the tree of a commit, by its path from the root, with `/` between names. */
export interface SourceFile {
  path: string
  size: number
}

/** The files of a repository, wherever they are. */
export interface FileSource {
  files: readonly SourceFile[]
  /** Entries that are no files of the repository, such as symbolic links. */
  skipped: readonly Warning[]
  read(path: string): Promise<Uint8Array>
}

/** The part of a repository that a warning is about. */
export type RepositoryPart = StructurePart | 'front-matter' | 'file' | 'encoding' | 'page'

/** A warning with the part that it is about; `isLost` when nothing of the part takes effect. */
export type RepositoryWarning = Warning & { part: RepositoryPart; isLost?: boolean }

/** A repository as an import reads it. Its manifest names objects by their paths, and has no sizes of images. */
export interface LoadedRepository {
  configuration: Configuration
  entries: OutlineEntry[]
  manifest: Manifest
  /** The texts of pages and reusable contents by their paths. */
  texts: ReadonlyMap<string, string>
  hasSummary: boolean
  warnings: RepositoryWarning[]
}

/** Pages by the hashes of their bytes, for whoever reads a repository again and again. */
export type PageCache = Map<string, CachedPage>

interface CachedPage {
  text: string
  info: PageInfo
  references: ReadonlySet<string>
  warnings: readonly RepositoryWarning[]
}

interface Loading {
  cache: PageCache
  source: FileSource
  files: ReadonlyMap<string, SourceFile>
  limits: Limits
  warnings: RepositoryWarning[]
  onLargePage: LoadOptions['onLargePage']
}

/** How a repository is read. */
export interface LoadOptions {
  /** The folder of the content; a `.gitbook.yaml` there may name another one below it. */
  project?: string | undefined
  limits?: Limits
  /** Keeps what pages say, those of this reading alone. */
  cache?: PageCache
  /** Gets the text of each page and reusable content as it is read, for whoever parses texts meanwhile. */
  onText?: (text: string) => void
  /** Gets each page above the limit with its bytes; such a page is read as an empty one then, and not refused. */
  onLargePage?: (path: string, bytes: number) => void
}

/** Reads a repository. Throws `ImportFailure` where an import of it would fail. */
export async function loadRepository(
  source: FileSource,
  { project, limits = defaultLimits, cache = new Map(), onText = () => undefined, onLargePage }: LoadOptions = {},
): Promise<LoadedRepository> {
  const files = new Map(source.files.map(file => [file.path, file]))
  const loading: Loading = { source, files, limits, cache, warnings: [], onLargePage }
  addWarnings(loading, 'file', source.skipped)
  const { configuration, path } = await loadConfiguration(loading, projectFolder(project))
  const paths = [...files.keys()].filter(file => isBelow(file, configuration.root))
  if (paths.length > limits.maxFiles)
    throw new ImportFailure('too_large', `The folder holds more than the limit of ${limits.maxFiles} files`)
  const structure: StructureSource = {
    readText: (at, maxBytes) => textOf(loading, at, maxBytes),
    warn: (part, warnings) => addWarnings(loading, part, warnings),
  }
  const tags = await loadTags(structure, configuration.root)
  const { maxPages } = limits
  const outline = await loadOutline(structure, configuration, { paths: new Set(paths), maxPages })
  const pages = new Set(pagesOf(outline.entries))
  const documents = await loadDocuments(loading, { configuration, paths, pages, onText })
  for (const [from, to] of danglingRedirects(configuration, pages))
    addWarnings(loading, 'configuration', [
      { path, message: `The redirect of ${from} leads to ${to}, which is no page` },
    ])
  const manifest = buildManifest({
    configuration: { ...configuration, tags },
    entries: outline.entries,
    ...documents,
    bundles: [],
    variables: await loadVariables(structure, configuration.root),
    ...(await loadSettings(structure, configuration.root)),
    warnings: [],
  })
  addWarnings(loading, 'page', manifest.warnings)
  const { texts } = documents
  const hasSummary = files.has(configuration.summary)
  return { configuration, entries: outline.entries, manifest, texts, hasSummary, warnings: loading.warnings }
}

function addWarnings({ warnings }: Loading, part: RepositoryPart, added: readonly (Warning & { isLost?: boolean })[]) {
  for (const warning of added) warnings.push({ ...warning, part })
}

async function textOf(loading: Loading, path: string, maxBytes: number): Promise<string | undefined> {
  const bytes = await bytesOf(loading, path, maxBytes)
  if (!bytes) return undefined
  const warnings: Warning[] = []
  const text = readUtf8(path, bytes, warnings)
  addWarnings(loading, 'encoding', warnings)
  return text
}

async function bytesOf(
  { source, files }: Pick<Loading, 'source' | 'files'>,
  path: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const file = files.get(path)
  if (!file) return undefined
  const refusal = () =>
    new ImportFailure('too_large', `${path} is larger than the limit of ${maxBytes} bytes for one file`, { path })
  if (file.size > maxBytes) throw refusal()
  const bytes = Buffer.from(await source.read(path))
  if (bytes.length > maxBytes) throw refusal()
  return bytes
}

async function loadConfiguration(
  loading: Loading,
  project: string,
): Promise<{ configuration: Configuration; path: string }> {
  const path = joinInside(project, '.gitbook.yaml') ?? '.gitbook.yaml'
  const declared = readConfiguration(await textOf(loading, path, bounds.configurationBytes), project)
  const existing = withExistingFiles(declared, name => loading.files.has(name))
  addWarnings(loading, 'configuration', [...declared.warnings, ...existing.warnings])
  return { configuration: existing.configuration, path }
}

interface Documents {
  pages: Map<string, PageInfo>
  texts: Map<string, string>
  files: Manifest['files']
  reusableContents: Manifest['reusableContents']
}

interface DocumentPlaces {
  configuration: Configuration
  paths: string[]
  pages: Set<string>
  onText: (text: string) => void
}

async function loadDocuments(
  loading: Loading,
  { configuration, paths, pages, onText }: DocumentPlaces,
): Promise<Documents> {
  const { root } = configuration
  const includes = joinInside(root, '.gitbook/includes') ?? '.gitbook/includes'
  const isInclude = (path: string) => isBelow(path, includes) && isMarkdown(path) && !pages.has(path)
  const documents: Documents = { pages: new Map(), texts: new Map(), files: [], reusableContents: [] }
  const referenced = new Set<string>()
  for (const path of paths.filter(at => pages.has(at) || isInclude(at))) {
    const page = await loadPage(loading, path)
    if (!page) continue
    onText(page.text)
    documents.texts.set(path, page.text)
    documents.pages.set(path, page.info)
    for (const target of page.references) referenced.add(target)
    if (!isInclude(path)) continue
    const { info } = page
    documents.reusableContents.push({ title: titleOf(path, info), git: gitOf(path), document: info.document })
  }
  for (const path of paths) {
    if (pages.has(path) || !isContentFile(path, { root, referenced })) continue
    const size = loading.files.get(path)?.size ?? 0
    const key = hash('sha256', `${path}\0${size}`)
    documents.files.push({ name: baseName(path), git: gitOf(path), hash: key, size, contentType: namedType(path) })
  }
  return documents
}

async function loadPage(loading: Loading, path: string): Promise<CachedPage | undefined> {
  const { files, limits, onLargePage } = loading
  const { size = 0 } = files.get(path) ?? {}
  if (onLargePage && size > limits.maxPageBytes) {
    onLargePage(path, size)
    return readPage(path, Buffer.alloc(0))
  }
  const bytes = await bytesOf(loading, path, limits.maxPageBytes)
  if (!bytes) return undefined
  if (isLfsPointer(bytes)) {
    addWarnings(loading, 'file', [{ path, message: 'The file is kept in Git LFS, which is not supported' }])
    return undefined
  }
  const key = `${path}\0${hash('sha256', bytes)}`
  const page = loading.cache.get(key) ?? readPage(path, bytes)
  loading.cache.set(key, page)
  loading.warnings.push(...page.warnings)
  return page
}

function readPage(path: string, bytes: Buffer): CachedPage {
  const encoding: Warning[] = []
  const text = readUtf8(path, bytes, encoding)
  const { frontMatter, body, warnings } = readPageSource(text, path)
  const isLost = Object.keys(frontMatter).length === 0
  return {
    text,
    info: { oid: path, document: hash('sha256', bytes), frontMatter, heading: firstHeading(body) },
    references: referencedPaths(text, path),
    warnings: [
      ...encoding.map(warning => ({ ...warning, part: 'encoding' as const })),
      ...warnings.map(warning => ({ ...warning, isLost, part: 'front-matter' as const })),
    ],
  }
}

function gitOf(path: string): { path: string; oid: string } {
  return { path, oid: path }
}
