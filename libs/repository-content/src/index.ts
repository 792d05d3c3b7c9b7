export { readComputed, type ComputedSource } from './computed.ts'
export {
  danglingRedirects,
  projectFolder,
  readConfiguration,
  tagsPath,
  variablesPath,
  withExistingFiles,
  type Configuration,
  type ReadConfiguration,
} from './configuration.ts'
export { isContentFile, isLfsPointer, namedType } from './file-kinds.ts'
export { outlineOfFolders } from './folder-outline.ts'
export { followRedirects, pathKey, trimPath, type PathEnd, type RedirectedContent } from './follow-redirects.ts'
export {
  ImportFailure,
  isImportFailure,
  limitWarnings,
  truncateMiddle,
  type GitErrorCode,
  type Warning,
} from './import-failure.ts'
export { buildManifest, titleOf, type ImportSet, type Manifest, type PageInfo } from './import-set.ts'
export { likelyFiles, structureFiles } from './likely-files.ts'
export { bounds, defaultLimits, type Limits } from './limits.ts'
export { countEntries, pagesOf, type Outline, type OutlineEntry } from './outline.ts'
export { outlineSlugs, usualSlug } from './outline-slugs.ts'
export { readOwnSettings, settingsOfKind, settingsOfOutline, settingsPath, type OwnSettings } from './own-settings.ts'
export { readUtf8 } from './read-utf8.ts'
export { referencedPaths } from './references.ts'
export {
  isApplicationUrl,
  resolveTarget,
  spelledPath,
  type ContentRef,
  type ResolvedTarget,
  type TargetLookup,
  type WrittenTarget,
} from './resolve-target.ts'
export { outlineOfSummary, type SummaryPlace } from './summary-outline.ts'
export { readSummary, type Place, type Summary, type SummaryEntry, type SummaryGroup } from './summary.ts'
export {
  loadRepository,
  type FileSource,
  type LoadedRepository,
  type LoadOptions,
  type PageCache,
  type RepositoryPart,
  type RepositoryWarning,
  type SourceFile,
} from './load-repository.ts'
export {
  lookupOf,
  repositoryId,
  type ManifestPage,
  type PlacedPage,
  type RepositoryLookup,
} from './repository-lookup.ts'
export {
  loadOutline,
  loadSettings,
  loadTags,
  loadVariables,
  type StructurePart,
  type StructureSource,
} from './repository-structure.ts'
