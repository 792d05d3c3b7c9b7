import { abbreviate } from '@recto/text'
import { contentLimits } from '@recto/contracts-shared'
import type { ImportManifest } from '@recto/contracts-git-worker-bus'
import { baseName, fileSettingsKey, folderOf, isExternal, linkedPath } from '@recto/repository-format'
import type { z } from 'zod'
import { pageCover, pageSettings, type FrontMatter, type SettingValues } from '@recto/markdown'
import type { Configuration } from './configuration.ts'
import type { Warning } from './import-failure.ts'
import type { OutlineEntry } from './outline.ts'
import { outlineSlugs } from './outline-slugs.ts'
import { settingsOfOutline, type OwnSettings } from './own-settings.ts'

export type Manifest = z.input<typeof ImportManifest>
type ManifestPage = Manifest['pages'][number]
type ManifestChild = Extract<ManifestPage, { type: 'document' }>['pages'][number]
type Settings = Omit<
  Extract<ManifestPage, { type: 'document' }>,
  'type' | 'title' | 'slug' | 'hasOwnSlug' | 'pages' | 'git' | 'document'
>

/** The content of a page file. */
export interface PageInfo {
  oid: string
  document: string
  frontMatter: FrontMatter
  heading: string | undefined
}

/** Characters; a longer path or target is abbreviated in a warning. */
const maxShownText = 100

/** All data of an import, before its manifest is built. */
export interface ImportSet {
  configuration: Configuration
  entries: OutlineEntry[]
  pages: ReadonlyMap<string, PageInfo>
  files: Manifest['files']
  reusableContents: Manifest['reusableContents']
  bundles: string[]
  variables: Manifest['variables']
  /** Recto's own file; `settingsFile` says whether the repository has it. */
  settings: OwnSettings
  settingsFile: NonNullable<Manifest['settingsFile']>
  warnings: Warning[]
}

/** Builds the manifest of an import. Values that no reply could contain are corrected, with a warning. */
export function buildManifest(set: ImportSet): Manifest & { warnings: Warning[] } {
  const { configuration, entries, reusableContents, bundles, variables, settings, settingsFile } = set
  const { root } = configuration
  const own = settingsOfOutline(settings, { entries, root })
  const place: BuildContext = {
    set,
    path: '',
    warnings: own.warnings,
    own: entry => own.of.get(entry) ?? {},
    slugs: outlineSlugs(entries, { root, ownSlug: entry => own.of.get(entry)?.['slug'] as string | undefined }),
    files: new Set(set.files.map(({ git }) => git.path)),
  }
  const pages = entries.flatMap((entry): ManifestPage[] => {
    if (entry.kind !== 'group') return entryOf(entry, place)
    const below = { ...place, path: place.slugs.get(entry) ?? '' }
    const { title, children } = entry
    return [{ type: 'group', title, ...withSlug(entry, place), pages: childEntries(children, below) }]
  })
  const files = set.files.map(file => namedFile(file, { settings, root }))
  const warnings = [...set.warnings, ...place.warnings]
  return {
    version: 1,
    configuration,
    pages,
    files,
    reusableContents,
    bundles,
    variables,
    settingsFile,
    warnings,
  }
}

function namedFile(
  file: Manifest['files'][number],
  { settings, root }: { settings: OwnSettings; root: string },
): Manifest['files'][number] {
  const name = settings.sections.files.get(fileSettingsKey(file.git.path, root).key)?.['name']
  return typeof name === 'string' ? { ...file, name, hasOwnName: true } : file
}

interface BuildContext {
  set: ImportSet
  /** The settings of an entry in Recto's own file. */
  own(entry: OutlineEntry): SettingValues
  slugs: ReadonlyMap<OutlineEntry, string>
  /** Path of the parent page; empty at the top. */
  path: string
  /** Paths of the imported files. */
  files: ReadonlySet<string>
  warnings: Warning[]
}

/** The slug of an entry, with its settings in Recto's own file. */
function withSlug(
  entry: OutlineEntry,
  { own, slugs }: BuildContext,
): SettingValues & { slug: string; hasOwnSlug?: true } {
  const settings = own(entry)
  const slug = slugs.get(entry) ?? ''
  return { ...settings, slug, ...(settings['slug'] === slug && { hasOwnSlug: true as const }) }
}

function childEntries(entries: OutlineEntry[], place: BuildContext): ManifestChild[] {
  return entries.flatMap(entry => entryOf(entry, place))
}

function entryOf(entry: OutlineEntry, place: BuildContext): ManifestChild[] {
  const own = place.own(entry)
  if (entry.kind === 'link') return [{ type: 'link', title: entry.title, href: entry.href, ...own }]
  if (entry.kind === 'computed') return [{ type: 'computed', title: entry.title, computed: entry.computed, ...own }]
  if (entry.kind === 'page') return [documentOf(entry, place)]
  const path = pathBelow(place, place.slugs.get(entry) ?? '', { path: place.set.configuration.summary })
  const pages = childEntries(entry.children, { ...place, path })
  return [{ type: 'document', title: entry.title, ...withSlug(entry, place), pages }]
}

/** The path of a page in the space. A path that is too long for a URL stays, with a warning. */
function pathBelow({ path: above, warnings }: BuildContext, slug: string, { path: file }: { path: string }): string {
  const path = above === '' ? slug : `${above}/${slug}`
  if (encodeURI(path).length > contentLimits.path) {
    warnings.push({
      path: file,
      message: `The path of the page ${abbreviate(path, maxShownText)} is longer than ${contentLimits.path} bytes; its URL in the app names it by its id`,
    })
  }
  return path
}

function documentOf(entry: OutlineEntry & { kind: 'page' }, place: BuildContext): ManifestChild {
  const { set } = place
  const { path } = entry
  const info = set.pages.get(path)
  const title = entry.title ?? titleOf(path, info)
  const slug = place.slugs.get(entry) ?? ''
  if (!title) place.warnings.push({ path, message: 'The page has no title and no name; it is called by its file' })
  return {
    type: 'document',
    title: title || baseName(path),
    ...withSlug(entry, place),
    ...(info && {
      git: { path, oid: info.oid },
      document: info.document,
      ...settingsOf(info.frontMatter, path, place),
    }),
    pages: childEntries(entry.children, { ...place, path: pathBelow(place, slug, { path }) }),
  }
}

/** The title of a page without one in the table of contents: from its front matter, its first heading or its file name. */
export function titleOf(path: string, info: Pick<PageInfo, 'frontMatter' | 'heading'> | undefined): string {
  const name = baseName(path).replace(/\.[^.]+$/, '')
  // A title in a table of contents cannot end in a space.
  return info?.frontMatter.title?.trim() || info?.heading || name.trim() || name
}

function settingsOf(frontMatter: FrontMatter, path: string, place: BuildContext): Settings {
  const cover = coverOf(frontMatter, path, place)
  return { ...pageSettings(frontMatter), ...(cover !== undefined && { cover }) }
}

function coverOf(frontMatter: FrontMatter, page: string, place: BuildContext): Settings['cover'] {
  const cover = pageCover(frontMatter)
  const light = imageOf(cover?.light, page, place)
  const dark = imageOf(cover?.dark, page, place)
  if (!cover || (!light && !dark)) return undefined
  const { light: _light, dark: _dark, ...look } = cover
  return {
    ...look,
    ...(light?.path !== undefined && { path: light.path }),
    ...(light?.url !== undefined && { ref: { kind: 'url' as const, url: light.url } }),
    ...(dark?.path !== undefined && { pathDark: dark.path }),
    ...(dark?.url !== undefined && { refDark: { kind: 'url' as const, url: dark.url } }),
  }
}

/** Resolves the image of a page: a URL, or an imported file. Other targets are left out with a warning. */
function imageOf(
  target: string | undefined,
  page: string,
  { files, warnings }: BuildContext,
): { url?: string; path?: string } | undefined {
  if (!target) return undefined
  if (isExternal(target)) {
    const url = URL.canParse(target) ? new URL(target) : undefined
    if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password) return { url: target }
    warnings.push({
      path: page,
      message: 'The field cover of the front matter is ignored: a URL must be of http or https, without credentials',
    })
    return undefined
  }
  const path = linkedPath(target, folderOf(page))
  if (path !== undefined && files.has(path)) return { path }
  warnings.push({
    path: page,
    message: `The field cover of the front matter is ignored: ${abbreviate(target, maxShownText)} is not a file of the content`,
  })
  return undefined
}
