import type { ImportManifest } from '@recto/contracts'
import type { z } from 'zod'
import type { Configuration } from './configuration.ts'
import type { FrontMatter } from './front-matter.ts'
import type { Warning } from './import-failure.ts'
import type { OutlineEntry } from './outline.ts'
import { baseName, folderOf, isExternal, linkedPath } from './paths.ts'
import { slugOfFile, slugOfTitle, slugSet } from './slugs.ts'

export type Manifest = z.input<typeof ImportManifest>
type ManifestPage = Manifest['pages'][number]
type ManifestChild = Extract<ManifestPage, { type: 'document' }>['pages'][number]
type Settings = Omit<Extract<ManifestPage, { type: 'document' }>, 'type' | 'title' | 'slug' | 'pages' | 'git' | 'document'>

/** What is known of a page file once it was read. */
export interface PageInfo {
  oid: string
  document: string
  frontMatter: FrontMatter
  heading: string | undefined
}

/** All that an import found. */
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

/** Puts what an import found into the form in which it is handed over. */
export function buildManifest(set: ImportSet): Manifest {
  const slug = slugSet()
  const pages = set.entries.flatMap((entry): ManifestPage[] => {
    if (entry.kind !== 'group') return child(entry, { set, slug })
    return [{ type: 'group', title: entry.title, slug: slug(slugOfTitle(entry.title)), pages: below(entry.children, set) }]
  })
  const { configuration, files, reusableContents, bundles, variables, warnings } = set
  return { version: 1, configuration, pages, files, reusableContents, bundles, variables, warnings }
}

interface Place {
  set: ImportSet
  slug: (wanted: string) => string
}

function below(entries: OutlineEntry[], set: ImportSet): ManifestChild[] {
  const slug = slugSet()
  return entries.flatMap(entry => child(entry, { set, slug }))
}

function child(entry: OutlineEntry, { set, slug }: Place): ManifestChild[] {
  if (entry.kind === 'link') return [{ type: 'link', title: entry.title, href: entry.href }]
  if (entry.kind === 'computed') return [{ type: 'computed', title: entry.title, computed: entry.computed }]
  if (entry.kind === 'page') return [documentOf(entry, { set, slug })]
  return [{ type: 'document', title: entry.title, slug: slug(slugOfTitle(entry.title)), pages: below(entry.children, set) }]
}

function documentOf(entry: OutlineEntry & { kind: 'page' }, { set, slug }: Place): ManifestChild {
  const { path } = entry
  const info = set.pages.get(path)
  return {
    type: 'document',
    title: entry.title ?? titleOf(path, info),
    slug: slug(slugOfFile(path, set.configuration.root)),
    ...(info && { git: { path, oid: info.oid }, document: info.document, ...settingsOf(info.frontMatter, path) }),
    pages: below(entry.children, set),
  }
}

/** The title of a page that is not named elsewhere: its front matter, its first heading, its file name. */
export function titleOf(path: string, info: Pick<PageInfo, 'frontMatter' | 'heading'> | undefined): string {
  return info?.frontMatter.title?.trim() || info?.heading || baseName(path).replace(/\.[^.]+$/, '')
}

function settingsOf(frontMatter: FrontMatter, path: string): Settings {
  const { description, icon, hidden, noIndex, noRobotsIndex, vars: variables } = frontMatter
  const layout = layoutOf(frontMatter.layout)
  const cover = coverOf(frontMatter, path)
  return {
    ...(description !== undefined && { description }),
    ...(icon !== undefined && { icon }),
    ...(hidden !== undefined && { hidden }),
    ...(noIndex !== undefined && { noIndex }),
    ...(noRobotsIndex !== undefined && { noRobotsIndex }),
    ...(variables !== undefined && { variables }),
    ...(layout !== undefined && { layout }),
    ...(cover !== undefined && { cover }),
  }
}

const switches = ['title', 'description', 'tableOfContents', 'outline', 'pagination', 'metadata', 'cover'] as const

function layoutOf(layout: FrontMatter['layout']): Settings['layout'] {
  if (!layout) return undefined
  const shown = switches.flatMap(name => (layout[name]?.visible === undefined ? [] : [[name, layout[name].visible] as const]))
  return { ...Object.fromEntries(shown), ...(layout.width && { width: layout.width }), ...(layout.cover?.size && { coverSize: layout.cover.size }) }
}

function coverOf({ cover, coverY }: FrontMatter, page: string): Settings['cover'] {
  const { light, dark } = typeof cover === 'string' ? { light: cover, dark: undefined } : (cover ?? {})
  if (!light) return undefined
  const path = isExternal(light) ? undefined : linkedPath(light, folderOf(page))
  return {
    yPos: coverY ?? 0,
    ...(path !== undefined && { path }),
    ...(isExternal(light) && { ref: { kind: 'url' as const, url: light } }),
    ...(dark && isExternal(dark) && { refDark: { kind: 'url' as const, url: dark } }),
  }
}
