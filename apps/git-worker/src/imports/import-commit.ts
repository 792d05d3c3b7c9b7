import { parseCommit, type Commit, type ObjectStore } from '@recto/git-pack'
import { readTags, readVariables, type SpaceTag } from '@recto/markdown'
import {
  type Configuration,
  projectFolder,
  readConfiguration,
  tagsPath,
  variablesPath,
  type ReadConfiguration,
  withExistingFiles,
} from '../format/configuration.ts'
import { likelyFiles } from '../format/likely-files.ts'
import { outlineOfFolders } from '../format/folder-outline.ts'
import { limitWarnings, ImportFailure, type Warning } from '../failures/import-failure.ts'
import { buildManifest, type ImportSet, type Manifest } from '../format/import-set.ts'
import { bounds, type Limits } from '../failures/limits.ts'
import { countEntries, pagesOf, type Outline } from '../format/outline.ts'
import { joinInside } from '@recto/repository-format'
import { readOwnSettings, settingsPath } from '../format/own-settings.ts'
import { outlineOfSummary } from '../format/summary-outline.ts'
import { readSummary } from '../format/summary.ts'
import { BlobUploader, tooLarge, type Blobs, type KnownBlob } from '../files/blob-uploader.ts'
import { findFile, listFiles, type RepositoryFile } from '../files/list-files.ts'
import { type MissingFiles, nothingMissing } from '../clones/missing-files.ts'
import { readContent } from './read-content.ts'

const maxWarnings = 1_000

export type Stage = 'repo_fetch' | 'config_check' | 'content_process' | 'finalize'

/** Called with the stage and progress of the import. */
export type OnProgress = (stage: Stage, progress: { done: number; total: number }) => void

/** A commit in a clone, and how to import it. */
export interface CommitImport {
  store: ObjectStore
  /** Fetches the files that the clone lacks. */
  missing: MissingFiles
  oid: string
  projectDirectory: string | undefined
  known: KnownBlob[]
  blobs: Blobs
  limits: Limits
  signal: AbortSignal
  /** Whether the fetch skipped objects above the size limit; a missing file is then one of them. */
  skipped: boolean
  warnings: Warning[]
  onProgress: OnProgress
}

/** Reads a commit, uploads its documents and files, and describes the rest in a manifest. Throws `ImportFailure`. */
export async function importCommit(work: CommitImport): Promise<{ commit: Commit; manifest: Manifest }> {
  const { store, limits, warnings, onProgress, signal } = work
  const commit = parseCommit(await store.read(work.oid, 'commit'))
  onProgress('config_check', { done: 0, total: 1 })
  const uploader = new BlobUploader(work)
  if (work.missing !== nothingMissing) await fetchLikely(work, commit)
  const declared = await loadConfiguration(work, commit, uploader)
  const listing = await listFiles(store, commit.tree, { folder: declared.configuration.root, limits, signal })
  warnings.push(...listing.warnings)
  const withoutTags = configurationOf(declared, { listing, warnings })
  if (work.missing === nothingMissing) checkPresence(listing.files, work)
  await work.missing.fetch(listing.files.filter(({ path }) => isNeededForOutline(path, withoutTags)))
  const configuration = {
    ...withoutTags,
    tags: await tagsOf(listing.files, { root: withoutTags.root, uploader, warnings }),
  }
  const outline = await outlineOf(listing.files, configuration, { uploader, limits, warnings })
  warnings.push(...outline.warnings)
  checkPages(outline, { configuration, limits })
  onProgress('config_check', { done: 1, total: 1 })
  const plan = { root: configuration.root, files: listing.files, pages: new Set(pagesOf(outline.entries)) }
  const content = await readContent(plan, {
    uploader,
    missing: work.missing,
    maxPageBytes: limits.maxPageBytes,
    warnings,
    onStep: (done, total) => onProgress('content_process', { done, total }),
  })
  const variables = await variablesOf(listing.files, { configuration, uploader, warnings })
  const settings = await settingsOf(listing.files, { configuration, uploader, warnings })
  warnings.push(...danglingRedirectWarnings(configuration, { pages: plan.pages, path: configurationPath(work) }))
  const bundles = await uploader.finish()
  const { entries } = outline
  const manifest = buildManifest({ ...content, ...settings, bundles, configuration, entries, variables, warnings })
  return { commit, manifest: { ...manifest, warnings: limitWarnings(manifest.warnings, maxWarnings) } }
}

/** Fetches the probable content in one request, since a request takes as long as many small files. */
async function fetchLikely({ store, missing, limits, signal, projectDirectory }: CommitImport, { tree }: Commit) {
  const folder = projectFolder(projectDirectory)
  // A folder that cannot be listed is refused later, if the configuration names it as the content.
  const listing = await listFiles(store, tree, { folder, limits, signal }).catch((error: unknown) => {
    if (!(error instanceof ImportFailure)) throw error
  })
  await missing.fetchLikely(likelyFiles(listing?.files ?? [], folder))
}

async function loadConfiguration(
  work: CommitImport,
  { tree }: Commit,
  uploader: BlobUploader,
): Promise<ReadConfiguration> {
  const path = configurationPath(work)
  const oid = await findFile(work.store, tree, path)
  if (oid !== undefined) await work.missing.fetch([{ path, oid }])
  const text =
    oid === undefined ? undefined : await uploader.readText({ path, oid }, bounds.configurationBytes, work.warnings)
  const declared = readConfiguration(text, projectFolder(work.projectDirectory))
  work.warnings.push(...declared.warnings)
  return declared
}

function configurationOf(
  declared: ReadConfiguration,
  { listing, warnings }: { listing: { files: RepositoryFile[] } } & Pick<CommitImport, 'warnings'>,
): Configuration {
  const paths = new Set(listing.files.map(({ path }) => path))
  const existing = withExistingFiles(declared, path => paths.has(path))
  warnings.push(...existing.warnings)
  return existing.configuration
}

function configurationPath({ projectDirectory }: CommitImport): string {
  return joinInside(projectFolder(projectDirectory), '.gitbook.yaml') ?? '.gitbook.yaml'
}

/** Whether a file must be fetched before the outline is read: the table of contents, the variables, the tags, or Recto's own settings file. */
function isNeededForOutline(path: string, { root, summary }: Configuration): boolean {
  return [summary, variablesPath(root), tagsPath(root), settingsPath(root)].includes(path)
}

function checkPresence(files: RepositoryFile[], { store, skipped, limits }: CommitImport) {
  const absent = files.find(({ oid }) => !store.has(oid))
  if (!absent) return
  if (skipped) throw tooLarge(absent.path, limits.maxFile)
  throw new ImportFailure('invalid_repository', `The repository lacks the content of ${absent.path}`, {
    path: absent.path,
  })
}

async function outlineOf(
  files: RepositoryFile[],
  { root, readme, summary }: Configuration,
  { uploader, limits, warnings }: { uploader: BlobUploader } & Pick<CommitImport, 'limits' | 'warnings'>,
): Promise<Outline> {
  const paths = new Set(files.map(({ path }) => path))
  const file = files.find(({ path }) => path === summary)
  if (!file) return outlineOfFolders([...paths], { root, readme })
  const text = await uploader.readText(file, bounds.summaryBytes, warnings)
  return outlineOfSummary(readSummary(text, summary, limits.maxPages), {
    path: summary,
    root,
    has: path => paths.has(path),
  })
}

function checkPages({ entries }: Outline, { configuration, limits }: { configuration: Configuration; limits: Limits }) {
  const count = countEntries(entries)
  if (count <= limits.maxPages) return
  throw new ImportFailure(
    'too_large',
    `The table of contents has ${count} entries, over the limit of ${limits.maxPages} pages`,
    { path: configuration.summary },
  )
}

async function variablesOf(
  files: RepositoryFile[],
  { configuration, uploader, warnings }: { configuration: Configuration; uploader: BlobUploader; warnings: Warning[] },
): Promise<Manifest['variables']> {
  const path = variablesPath(configuration.root)
  const file = files.find(candidate => candidate.path === path)
  if (!file) return {}
  const result = readVariables(await uploader.readText(file, bounds.configurationBytes, warnings), file.path)
  warnings.push(...result.warnings)
  return result.variables
}

/** The tags that the repository describes; a file that cannot be read is a warning, since tags are labels alone. */
async function tagsOf(
  files: RepositoryFile[],
  { root, uploader, warnings }: { root: string; uploader: BlobUploader; warnings: Warning[] },
): Promise<SpaceTag[]> {
  const file = files.find(({ path }) => path === tagsPath(root))
  if (!file) return []
  try {
    const result = readTags(await uploader.readText(file, bounds.configurationBytes, warnings), file.path)
    warnings.push(...result.warnings)
    return result.tags
  } catch (error) {
    if (!(error instanceof ImportFailure) || error.code !== 'too_large') throw error
    warnings.push({ path: file.path, message: `The tags cannot be read: ${error.message}` })
    return []
  }
}

/** Reads Recto's own file. Throws `invalid_configuration` when it cannot be read, since restricted entries would become public. */
async function settingsOf(
  files: RepositoryFile[],
  { configuration, uploader, warnings }: { configuration: Configuration; uploader: BlobUploader; warnings: Warning[] },
): Promise<Pick<ImportSet, 'settings' | 'settingsFile'>> {
  const { root } = configuration
  const path = settingsPath(root)
  const file = files.find(candidate => candidate.path === path)
  if (!file) return { settings: readOwnSettings(undefined, root), settingsFile: 'absent' }
  try {
    const settings = readOwnSettings(await uploader.readText(file, bounds.settingsBytes, warnings), root)
    if (settings.fault !== undefined) throw new ImportFailure('invalid_configuration', settings.fault, { path })
    warnings.push(...settings.warnings)
    return { settings, settingsFile: settings.isReadable ? 'read' : 'unreadable' }
  } catch (error) {
    if (!(error instanceof ImportFailure) || error.code !== 'too_large') throw error
    throw new ImportFailure('invalid_configuration', `The settings cannot be read: ${error.message}`, { path })
  }
}

/** Gives one warning for all redirects whose target is not a page, since old repositories have many. */
function danglingRedirectWarnings(
  { root, redirects }: Configuration,
  { pages, path }: { pages: ReadonlySet<string>; path: string },
): Warning[] {
  const lost = Object.entries(redirects).filter(
    ([, target]) => !pages.has(joinInside(root, target.replace(/#.*$/s, '')) ?? ''),
  )
  const [first] = lost
  return first
    ? [
        {
          path,
          message: `${lost.length} redirects lead to files that are not pages; the first is ${first[0]}: ${first[1]}`,
        },
      ]
    : []
}
