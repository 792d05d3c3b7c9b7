import {
  tagsPath,
  variablesPath,
  type Configuration,
  ImportFailure,
  type Warning,
  type Limits,
  outlineOfFolders,
  settingsPath,
} from '@recto/repository-content'
import { basePlaces, type BasePlace } from './base-places.ts'
import { assignPaths, type RepositoryPaths } from './assign-paths.ts'
import { updateContents } from './update-contents.ts'
import { entriesOf, outlineOf, withExistingFiles } from './contents-entries.ts'
import { isSameContents, readsAs } from './contents.ts'
import { recordsOf, type Content, type ExportRecord } from './export-content.ts'
import { keyEntries, withEntriesOfRepository } from './keyed-entries.ts'
import { planSettingsFile } from './plan-settings-file.ts'
import { updateConfiguration, updateVariables } from './configuration-files.ts'
import { updateTags } from './tags-file.ts'

/** The branch that an export is written to. */
export interface ExportTip extends RepositoryPaths {
  configuration: Configuration
  /** Path of `.gitbook.yaml`. */
  configurationPath: string
  /** Texts of the files that an export edits, by path. */
  texts: ReadonlyMap<string, string>
  /** Paths of texts that are not UTF-8: an edit would change their other bytes, so they are only read. */
  notUtf8: ReadonlySet<string>
}

/** The input of an export beside the branch. */
export interface ExportRequest {
  content: Content
  tip: ExportTip
  /** Files of the branch that are those of records, path to id, though no synchronisation says so: all else of the branch then stays. */
  owners?: ReadonlyMap<string, string> | undefined
  /** Content is written as a whole, whatever the branch has. */
  force: boolean
  limits: Pick<Limits, 'maxPages'>
  /** The git object of a record. */
  oidOf(record: ExportRecord): string | undefined
  /** The title that a page gets from its text; undefined when its text is not loaded. */
  titleOf(path: string, hash: string): string | undefined
  /** Paths that the documents of the content refer to. */
  referenced: ReadonlySet<string>
}

/** The changes of an export to a branch, by path: the object of a record, the text of a file, or null for one that is deleted. */
export interface ExportPlan {
  writes: Map<string, { oid: string; hash: string | undefined }>
  texts: Map<string, string>
  deletes: Set<string>
  /** The path of each record, by its id. */
  paths: Map<string, string>
  configuration: Configuration
  /** Whether the branch then has all settings of the content that Markdown has no place for. */
  hasAllSettings: boolean
  warnings: Warning[]
}

/** Decides which files of a branch an export writes and deletes: those that changed in the content since its last synchronisation. */
export function planExport(request: ExportRequest): ExportPlan {
  const { content, tip } = request
  const { root } = tip.configuration
  const { redirects, tags } = content.now
  const base = content.base && basePlaces(content.base, { root, oidOf: request.oidOf })
  const records = recordsOf(content.now)
  const home = chooseReadmePage(records, request)
  const recordsToPlace = records.map(record => (record.id === home ? { ...record, path: 'README.md' } : record))
  const ownFiles = [variablesPath(root), tagsPath(root), settingsPath(root)]
  const reserved = [tip.configurationPath, tip.configuration.summary, ...ownFiles]
  const owners = new Map([
    ...(request.owners ?? []),
    ...Array.from(base ?? [], ([id, { path }]) => [path, id] as const),
  ])
  const paths = assignPaths(recordsToPlace, { root, tip, owners, reserved, oidOf: request.oidOf })
  const plan: ExportPlan = {
    writes: new Map(),
    texts: new Map(),
    deletes: new Set(),
    paths,
    configuration: { ...tip.configuration, redirects, ...(tags && { tags }) },
    hasAllSettings: false,
    warnings: [],
  }
  planFiles(plan, { records, base, request })
  planContents(plan, request)
  planSettings(plan, request)
  planEntrySettings(plan, request)
  for (const path of plan.texts.keys()) requireFile(path, { plan, tip })
  return plan
}

/** Requires that a path which an export edits itself, such as SUMMARY.md, is a file in UTF-8, or nothing, in folders that are folders. */
function requireFile(path: string, { plan, tip }: { plan: ExportPlan; tip: ExportTip }): void {
  if (tip.notUtf8.has(path)) {
    const message = `${path} has to be changed, and is not UTF-8: convert it in the repository first`
    throw new ImportFailure('invalid_configuration', message, { path })
  }
  const obstacle = obstacleAt(path, { plan, tip })
  if (obstacle === undefined) return
  const message = `${path} cannot be written, because the branch has ${obstacle === path ? 'no file' : obstacle} there`
  throw new ImportFailure('invalid_configuration', message, { path })
}

/** Finds what stops a file from being written at a path: another entry at, above or below it. */
function obstacleAt(path: string, { plan, tip }: { plan: ExportPlan; tip: ExportTip }): string | undefined {
  const isAbove = (each: string) => path.startsWith(`${each}/`)
  return (
    [...tip.others].find(each => each === path || isAbove(each) || each.startsWith(`${path}/`)) ??
    [...tip.files.keys()].find(each => !plan.deletes.has(each) && (isAbove(each) || each.startsWith(`${path}/`)))
  )
}

function filesAfter(plan: ExportPlan, tip: ExportTip): Set<string> {
  return new Set([...tip.files.keys(), ...plan.writes.keys()].filter(path => !plan.deletes.has(path)))
}

function planFiles(
  plan: ExportPlan,
  {
    records,
    base,
    request,
  }: {
    records: ExportRecord[]
    base: ReadonlyMap<string, BasePlace> | undefined
    request: ExportRequest
  },
): void {
  const { content, tip, force, oidOf } = request
  const used = new Set(plan.paths.values())
  for (const record of records) {
    const path = plan.paths.get(record.id) ?? ''
    const oid = oidOf(record)
    if (oid === undefined || tip.files.get(path) === oid) continue
    const before = base?.get(record.id)
    const isUnchanged = !force && content.isSameBranch && before?.path === path && before.oid === oid
    // Settings that were kept are written, but not over what the branch made of the file since.
    const isKept = before?.committedOid !== undefined && before.committedOid === tip.files.get(path)
    if (!isUnchanged || isKept) plan.writes.set(path, { oid, hash: record.hash })
  }
  for (const { path } of base?.values() ?? []) if (!used.has(path) && tip.files.has(path)) plan.deletes.add(path)
}

function planContents(plan: ExportPlan, request: ExportRequest): void {
  const { content, tip, force } = request
  const { root, summary, readme } = tip.configuration
  const after = filesAfter(plan, tip)
  const all = entriesOf(content.now, { root, paths: plan.paths, before: content.base })
  const base = content.base ? entriesOf(content.base, { root }) : []
  // A file that the branch deleted, and that is written again, is to be listed again.
  const isRestoring = [...plan.writes.keys()].some(path => !tip.files.has(path))
  if (content.base && content.isSameBranch && !force && !isRestoring && isSameContents(all, base)) return
  const now = all.flatMap(entry => withExistingFiles(entry, after))
  const keepsUnknown = (content.base !== undefined || request.owners !== undefined) && !force
  const trees = { now, base, keepsUnknown }
  const titleOf = (path: string) => {
    const hash = plan.writes.get(path)?.hash
    return hash === undefined ? undefined : request.titleOf(path, hash)
  }
  const text = tip.texts.get(summary)
  if (text === undefined && content.base) {
    // No SUMMARY.md is written as long as the folders give the same tree.
    const place = { root, readme }
    const keyed = keyEntries(outlineOfFolders([...tip.files.keys()], place).entries, trees)
    const entries = withEntriesOfRepository(now, keyed, trees)
    if (readsAs(outlineOfFolders([...after], place).entries, entries, titleOf)) return
  }
  const contents = updateContents({
    ...trees,
    text,
    folders: text === undefined ? outlineOfFolders([...tip.files.keys()], { root, readme }).entries : [],
    place: { path: summary, root, has: path => tip.files.has(path) || after.has(path) },
    hasAfter: path => after.has(path),
    titleOf,
    maxPages: request.limits.maxPages,
  })
  if (contents !== text) plan.texts.set(summary, contents)
}

function planSettings(plan: ExportPlan, { content, tip, owners, force }: ExportRequest): void {
  const { now, base } = content
  const before = content.isSameBranch && !force ? base : undefined
  const { root } = tip.configuration
  const path = variablesPath(root)
  const variables = updateVariables(tip.texts.get(path), { now: now.variables, before: before?.variables ?? {} })
  if (variables !== undefined) plan.texts.set(path, variables)
  const tags = now.tags && updateTags(tip.texts.get(tagsPath(root)), { now: now.tags, before: before?.tags ?? [] })
  if (tags !== undefined) plan.texts.set(tagsPath(root), tags)
  const readme = tidyReadme(plan, { content, tip })
  const configuration = updateConfiguration(tip.texts.get(tip.configurationPath), {
    redirects: { now: now.redirects, before: before?.redirects ?? (owners ? {} : tip.configuration.redirects) },
    ...(readme !== undefined && { readme: root === '' ? readme : readme.slice(root.length + 1) }),
  })
  if (configuration !== undefined) plan.texts.set(tip.configurationPath, configuration)
  if (readme !== undefined) plan.configuration.readme = readme
}

/** Plans Recto's own file, which has the settings of entries and files that Markdown has no place for. */
function planEntrySettings(plan: ExportPlan, { content, tip, force }: ExportRequest): void {
  // A content service of an older version sends no settings.
  if (content.now.settings === undefined) return
  const { root, summary } = tip.configuration
  const path = settingsPath(root)
  const after = filesAfter(plan, tip)
  const outlines = () => {
    const now = entriesOf(content.now, { root, paths: plan.paths }).flatMap(entry => withExistingFiles(entry, after))
    const trees = { now, base: content.base ? entriesOf(content.base, { root }) : [] }
    const text = tip.texts.get(summary)
    return {
      before: keyEntries(outlineOf(text, { files: tip.files, configuration: tip.configuration }), trees),
      after: keyEntries(outlineOf(plan.texts.get(summary) ?? text, { files: after, ...plan }), trees),
    }
  }
  const obstacle = obstacleAt(path, { plan, tip })
  const settings = planSettingsFile({
    content,
    force,
    root,
    text: tip.texts.get(path),
    paths: plan.paths,
    outlines,
    obstacle: tip.notUtf8.has(path) ? 'it is not UTF-8' : obstacle && `the branch has ${obstacle} there`,
  })
  plan.hasAllSettings = settings.hasAll
  plan.warnings.push(...settings.warnings)
  if (settings.text === null) plan.deletes.add(path)
  else if (settings.text !== undefined) plan.texts.set(path, settings.text)
}

/** Returns the file of the first page when new content goes to a repository without README.md. */
function tidyReadme(plan: ExportPlan, { content, tip }: Pick<ExportRequest, 'content' | 'tip'>): string | undefined {
  const { readme } = tip.configuration
  if (!isNewRepository({ content, tip }) || plan.writes.has(readme)) return undefined
  const first = homePage(content)
  return first && plan.paths.get(first.id)
}

function isNewRepository({ content, tip }: Pick<ExportRequest, 'content' | 'tip'>): boolean {
  const { readme, summary } = tip.configuration
  return !content.now.wasInRepository && !content.base && !tip.files.has(readme) && !tip.files.has(summary)
}

function homePage({ now }: Content): Content['now']['pages'][number] | undefined {
  return now.pages.find(({ type, parent }) => type === 'document' && parent === null)
}

/** Chooses the page that becomes README.md: the first page of content that never was in a repository, unless a text refers to its file. */
function chooseReadmePage(records: ExportRecord[], { content, tip, referenced }: ExportRequest): string | undefined {
  if (!isNewRepository({ content, tip })) return undefined
  const first = homePage(content)
  const record = records.find(({ id }) => id === first?.id)
  const isTaken = records.some(({ path }) => path.toLowerCase() === 'readme.md')
  return record && !isTaken && !referenced.has(record.path) ? record.id : undefined
}
