import { contentLimits, type ImportManifest } from '@recto/contracts'
import { baseName, folderOf, isExternal, linkedPath, slugOfFile, slugOfTitle, slugSet } from '@recto/repository-format'
import type { z } from 'zod'
import { pageCover, pageSettings, type FrontMatter } from '@recto/markdown'
import type { Configuration } from './configuration.ts'
import type { Warning } from './import-failure.ts'
import type { OutlineEntry } from './outline.ts'

export type Manifest = z.input<typeof ImportManifest>
type ManifestPage = Manifest['pages'][number]
type ManifestChild = Extract<ManifestPage, { type: 'document' }>['pages'][number]
type Settings = Omit<
  Extract<ManifestPage, { type: 'document' }>,
  'type' | 'title' | 'slug' | 'pages' | 'git' | 'document'
>

/** What is read from a page file. */
export interface PageInfo {
  oid: string
  document: string
  frontMatter: FrontMatter
  heading: string | undefined
}

/** Everything that an import has read. */
export interface ImportSet {
  configuration: Configuration
  entries: OutlineEntry[]
  pages: ReadonlyMap<string, PageInfo>
  files: Manifest['files']
  reusableContents: Manifest['reusableContents']
  bundles: string[]
  variables: Manifest['variables']
  warnings: Warning[]
}

/** Builds the manifest of an import; values that replies could not show are corrected, with a warning. */
export function buildManifest(set: ImportSet): Manifest & { warnings: Warning[] } {
  const place: BuildContext = {
    set,
    slug: slugSet(),
    path: '',
    files: new Set(set.files.map(({ git }) => git.path)),
    warnings: [],
  }
  const pages = set.entries.flatMap((entry): ManifestPage[] => {
    if (entry.kind !== 'group') return entryOf(entry, place)
    const slug = place.slug(slugOfTitle(entry.title))
    return [{ type: 'group', title: entry.title, slug, pages: childEntries(entry.children, { ...place, path: slug }) }]
  })
  const { configuration, files, reusableContents, bundles, variables } = set
  const warnings = [...set.warnings, ...place.warnings]
  return { version: 1, configuration, pages, files, reusableContents, bundles, variables, warnings }
}

interface BuildContext {
  set: ImportSet
  slug: (wanted: string) => string
  /** Path of the page above, empty at the top. */
  path: string
  /** Paths of the files that are imported. */
  files: ReadonlySet<string>
  warnings: Warning[]
}

function childEntries(entries: OutlineEntry[], place: BuildContext): ManifestChild[] {
  const here = { ...place, slug: slugSet() }
  return entries.flatMap(entry => entryOf(entry, here))
}

function entryOf(entry: OutlineEntry, place: BuildContext): ManifestChild[] {
  if (entry.kind === 'link') return [{ type: 'link', title: entry.title, href: entry.href }]
  if (entry.kind === 'computed') return [{ type: 'computed', title: entry.title, computed: entry.computed }]
  if (entry.kind === 'page') return [documentOf(entry, place)]
  const slug = place.slug(slugOfTitle(entry.title))
  const path = pathBelow(place, slug, { path: place.set.configuration.summary })
  return [{ type: 'document', title: entry.title, slug, pages: childEntries(entry.children, { ...place, path }) }]
}

/** The path of a page in the space; one too long for a URL is kept, with a warning. */
function pathBelow({ path: above, warnings }: BuildContext, slug: string, { path: file }: { path: string }): string {
  const path = above === '' ? slug : `${above}/${slug}`
  if (encodeURI(path).length > contentLimits.path) {
    warnings.push({
      path: file,
      message: `The path of the page ${shortened(path)} is longer than ${contentLimits.path} bytes; its URL in the app names it by its id`,
    })
  }
  return path
}

const shortened = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text)

function documentOf(entry: OutlineEntry & { kind: 'page' }, place: BuildContext): ManifestChild {
  const { set } = place
  const { path } = entry
  const info = set.pages.get(path)
  const title = entry.title ?? titleOf(path, info)
  const slug = place.slug(slugOfFile(path, set.configuration.root))
  if (!title) place.warnings.push({ path, message: 'The page has no title and no name; it is called by its file' })
  return {
    type: 'document',
    title: title || baseName(path),
    slug,
    ...(info && {
      git: { path, oid: info.oid },
      document: info.document,
      ...settingsOf(info.frontMatter, path, place),
    }),
    pages: childEntries(entry.children, { ...place, path: pathBelow(place, slug, { path }) }),
  }
}

/** The title of a page that is not named elsewhere: its front matter, its first heading, its file name. */
export function titleOf(path: string, info: Pick<PageInfo, 'frontMatter' | 'heading'> | undefined): string {
  const name = baseName(path).replace(/\.[^.]+$/, '')
  // A table of contents cannot say that a title ends in a space.
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
  return {
    yPos: cover.yPos,
    ...(light?.path !== undefined && { path: light.path }),
    ...(light?.url !== undefined && { ref: { kind: 'url' as const, url: light.url } }),
    ...(dark?.path !== undefined && { pathDark: dark.path }),
    ...(dark?.url !== undefined && { refDark: { kind: 'url' as const, url: dark.url } }),
  }
}

/** Where an image of a page is: elsewhere, or a file that is imported. Anything else is left out with a warning. */
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
    message: `The field cover of the front matter is ignored: ${shortened(target)} is not a file of the content`,
  })
  return undefined
}
