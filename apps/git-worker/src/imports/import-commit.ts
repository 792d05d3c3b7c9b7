import { parseCommit, type Commit, type ObjectStore } from '@recto/git-pack'
import {
  type Configuration,
  danglingRedirects,
  projectFolder,
  readConfiguration,
  tagsPath,
  variablesPath,
  type ReadConfiguration,
  withExistingFiles,
  likelyFiles,
  loadOutline,
  loadSettings,
  loadTags,
  loadVariables,
  type StructureSource,
  limitWarnings,
  ImportFailure,
  type Warning,
  buildManifest,
  type Manifest,
  bounds,
  type Limits,
  pagesOf,
  settingsPath,
} from '@recto/repository-content'
import { joinInside } from '@recto/repository-format'
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
  const outlineFiles = new Set(filesOfOutline(withoutTags))
  await work.missing.fetch(listing.files.filter(({ path }) => outlineFiles.has(path)))
  const structure = structureOf(listing.files, { uploader, warnings })
  const configuration = { ...withoutTags, tags: await loadTags(structure, withoutTags.root) }
  const paths = new Set(listing.files.map(({ path }) => path))
  const outline = await loadOutline(structure, configuration, { paths, maxPages: limits.maxPages })
  onProgress('config_check', { done: 1, total: 1 })
  const plan = { root: configuration.root, files: listing.files, pages: new Set(pagesOf(outline.entries)) }
  const content = await readContent(plan, {
    uploader,
    missing: work.missing,
    maxPageBytes: limits.maxPageBytes,
    warnings,
    onStep: (done, total) => onProgress('content_process', { done, total }),
  })
  const variables = await loadVariables(structure, configuration.root)
  const settings = await loadSettings(structure, configuration.root)
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

/** Files that must be fetched before the outline is read: the table of contents, the variables, the tags, and Recto's own settings. */
function filesOfOutline({ root, summary }: Configuration): string[] {
  return [summary, variablesPath(root), tagsPath(root), settingsPath(root)]
}

function checkPresence(files: RepositoryFile[], { store, skipped, limits }: CommitImport) {
  const absent = files.find(({ oid }) => !store.has(oid))
  if (!absent) return
  if (skipped) throw tooLarge(absent.path, limits.maxFile)
  throw new ImportFailure('invalid_repository', `The repository lacks the content of ${absent.path}`, {
    path: absent.path,
  })
}

/** The files of a commit that describe its content. */
function structureOf(
  files: RepositoryFile[],
  { uploader, warnings }: { uploader: BlobUploader } & Pick<CommitImport, 'warnings'>,
): StructureSource {
  const byPath = new Map(files.map(file => [file.path, file]))
  return {
    async readText(path, maxBytes) {
      const file = byPath.get(path)
      return file && uploader.readText(file, maxBytes, warnings)
    },
    warn: (_part, added) => void warnings.push(...added),
  }
}

/** Gives one warning for all redirects whose target is not a page, since old repositories have many. */
function danglingRedirectWarnings(
  configuration: Configuration,
  { pages, path }: { pages: ReadonlySet<string>; path: string },
): Warning[] {
  const lost = danglingRedirects(configuration, pages)
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
