import type { FrontMatter } from './front-matter.ts'
import type { PageVariables } from './variables.ts'

/** Which parts of a page are shown, as far as its front matter says so. */
export interface PageLayout {
  width?: 'default' | 'wide'
  coverSize?: 'hero' | 'full'
  cover?: boolean
  title?: boolean
  description?: boolean
  tableOfContents?: boolean
  outline?: boolean
  pagination?: boolean
  metadata?: boolean
}

/** The settings of a page that its front matter has. */
export interface PageSettings {
  description?: string
  icon?: string
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  /** Expression that decides whether visitors see the page. */
  condition?: string
  variables?: PageVariables
  layout?: PageLayout
}

/** The images of a page's cover as its front matter names them, and the vertical position, from -100 to 100. */
export interface PageCover {
  light?: string
  dark?: string
  yPos: number
}

const switches = ['title', 'description', 'tableOfContents', 'outline', 'pagination', 'metadata', 'cover'] as const

/** The settings that front matter gives a page; without its title and its cover. */
export function pageSettings(frontMatter: FrontMatter): PageSettings {
  const { description, icon, hidden, noIndex, noRobotsIndex, vars: variables, if: condition } = frontMatter
  const layout = layoutOf(frontMatter.layout)
  return {
    ...(description !== undefined && { description }),
    ...(icon !== undefined && { icon }),
    ...(hidden !== undefined && { hidden }),
    ...(noIndex !== undefined && { noIndex }),
    ...(noRobotsIndex !== undefined && { noRobotsIndex }),
    ...(condition !== undefined && { condition: String(condition) }),
    ...(variables !== undefined && { variables }),
    ...(layout !== undefined && { layout }),
  }
}

/** Front matter that gives a page these settings, the inverse of `pageSettings`; a setting that is undefined removes its key. */
export function frontMatterOf(settings: {
  [Field in keyof PageSettings]: PageSettings[Field] | undefined
}): Record<string, unknown> {
  const { condition, variables, layout, ...others } = settings
  return {
    ...others,
    ...('condition' in settings && { if: condition }),
    ...('variables' in settings && { vars: variables }),
    ...('layout' in settings && { layout: layout && frontMatterOfLayout(layout) }),
  }
}

function frontMatterOfLayout({ width, coverSize, cover, ...visibility }: PageLayout): Record<string, unknown> {
  const parts = Object.entries(visibility).map(([name, visible]) => [name, { visible }] as const)
  const coverPart = { ...(cover !== undefined && { visible: cover }), ...(coverSize && { size: coverSize }) }
  return {
    ...(width && { width }),
    ...(Object.keys(coverPart).length > 0 && { cover: coverPart }),
    ...Object.fromEntries(parts),
  }
}

/** The cover that front matter gives a page; undefined when it names no image. */
export function pageCover({ cover, coverY }: FrontMatter): PageCover | undefined {
  const { light, dark } = typeof cover === 'string' ? { light: cover, dark: undefined } : (cover ?? {})
  if (!light && !dark) return undefined
  return { yPos: coverY ?? 0, ...(light && { light }), ...(dark && { dark }) }
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
  }
}
