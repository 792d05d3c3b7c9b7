import type { FrontMatter } from './front-matter.ts'
import type { PageVariables } from './variables.ts'

/** Which parts of a page are shown, as far as its front matter says so. */
export interface PageLayout {
  width?: 'default' | 'wide'
  coverSize?: 'hero' | 'full' | 'background'
  coverMask?: 'none' | 'radial'
  cover?: boolean
  title?: boolean
  description?: boolean
  tableOfContents?: boolean
  outline?: boolean
  pagination?: boolean
  metadata?: boolean
  tags?: boolean
  actions?: boolean
  anchors?: boolean
}

/** The targets that the meta links of a page lead to, as they are written: paths of the repository or URLs. */
export interface PageMetaLinks {
  canonical?: string
  /** The same page in other languages and versions. */
  alternates?: string[]
}

/** A tag of a page, by its name. */
export interface PageTag {
  tag: string
  /** Whether the table of contents shows it. */
  primary?: boolean
}

/** The settings of a page that its front matter has. */
export interface PageSettings {
  /** The title in the table of contents, where it is not that of the page. */
  linkTitle?: string
  description?: string
  icon?: string
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  /** Expression that decides whether visitors see the page. */
  condition?: string
  variables?: PageVariables
  layout?: PageLayout
  metaLinks?: PageMetaLinks
  tags?: PageTag[]
}

/** The images of a page's cover as its front matter names them, and the vertical position, from -100 to 100. */
export interface PageCover extends CoverLook {
  light?: string
  dark?: string
}

/** How the images of a cover are shown. */
export interface CoverLook {
  yPos: number
  /** Pixels. */
  height?: number
  textColor?: 'black' | 'white'
  textColorDark?: 'black' | 'white'
}

// prettier-ignore
const switches = [
  'title', 'description', 'tableOfContents', 'outline', 'pagination', 'metadata', 'cover', 'tags', 'actions', 'anchors',
] as const

/** The settings that front matter gives a page; without its title and its cover. */
export function pageSettings(frontMatter: FrontMatter): PageSettings {
  const { description, icon, hidden, noIndex, noRobotsIndex, vars: variables, if: condition } = frontMatter
  const { linkTitle, metaLinks } = frontMatter
  const layout = layoutOf(frontMatter.layout)
  const tags = tagsOf(frontMatter.tags)
  return {
    ...(linkTitle !== undefined && { linkTitle }),
    ...(description !== undefined && { description }),
    ...(icon !== undefined && { icon }),
    ...(hidden !== undefined && { hidden }),
    ...(noIndex !== undefined && { noIndex }),
    ...(noRobotsIndex !== undefined && { noRobotsIndex }),
    ...(condition !== undefined && { condition: String(condition) }),
    ...(variables !== undefined && { variables }),
    ...(layout !== undefined && { layout }),
    ...(metaLinks !== undefined && { metaLinks: metaLinks as PageMetaLinks }),
    ...(tags.length > 0 && { tags }),
  }
}

/** The tags of a page, each once: the first of the same name counts. */
function tagsOf(tags: FrontMatter['tags'] = []): PageTag[] {
  const byName = new Map<string, PageTag>()
  for (const entry of tags) {
    const { tag, primary = false } = typeof entry === 'string' ? { tag: entry } : entry
    const name = tag.trim()
    if (!byName.has(name)) byName.set(name, { tag: name, ...(primary && { primary }) })
  }
  return [...byName.values()]
}

/** Front matter that gives a page these settings, the inverse of `pageSettings`; a setting that is undefined removes its key. */
export function frontMatterOf(settings: {
  [Field in keyof PageSettings]: PageSettings[Field] | undefined
}): Record<string, unknown> {
  const { condition, variables, layout, tags, ...others } = settings
  return {
    ...others,
    ...('condition' in settings && { if: condition }),
    ...('variables' in settings && { vars: variables }),
    ...('layout' in settings && { layout: layout && frontMatterOfLayout(layout) }),
    ...('tags' in settings && { tags: tags?.map(entry => (entry.primary ? entry : entry.tag)) }),
  }
}

function frontMatterOfLayout({
  width,
  coverSize,
  coverMask,
  cover,
  ...visibility
}: PageLayout): Record<string, unknown> {
  const parts = Object.entries(visibility).map(([name, visible]) => [name, { visible }] as const)
  const coverPart = {
    ...(cover !== undefined && { visible: cover }),
    ...(coverSize && { size: coverSize }),
    ...(coverMask && { mask: coverMask }),
  }
  return {
    ...(width && { width }),
    ...(Object.keys(coverPart).length > 0 && { cover: coverPart }),
    ...Object.fromEntries(parts),
  }
}

/** The cover that front matter gives a page; undefined when it names no image. */
export function pageCover({ cover, coverY, coverHeight, coverTextColor }: FrontMatter): PageCover | undefined {
  const { light, dark } = typeof cover === 'string' ? { light: cover, dark: undefined } : (cover ?? {})
  if (!light && !dark) return undefined
  const color =
    typeof coverTextColor === 'string' ? { light: coverTextColor, dark: coverTextColor } : (coverTextColor ?? {})
  return {
    yPos: coverY ?? 0,
    ...(light && { light }),
    ...(dark && { dark }),
    ...(coverHeight !== undefined && { height: coverHeight }),
    ...(color.light && { textColor: color.light }),
    ...(color.dark && { textColorDark: color.dark }),
  }
}

function layoutOf(layout: FrontMatter['layout']): PageLayout | undefined {
  if (!layout) return undefined
  const switchEntries = switches.flatMap(name =>
    layout[name]?.visible === undefined ? [] : [[name, layout[name].visible] as const],
  )
  return {
    ...Object.fromEntries(switchEntries),
    ...(layout.width && { width: layout.width }),
    ...(layout.cover?.size && { coverSize: layout.cover.size }),
    ...(layout.cover?.mask && { coverMask: layout.cover.mask }),
  }
}
