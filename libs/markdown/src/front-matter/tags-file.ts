import { frontMatterLimits } from './limits.ts'
import { tagColors } from './tag-colors.ts'
import type { PageWarning } from './warning.ts'
import { cleanedTextWarnings, parseYaml } from './yaml.ts'

/** A tag that pages and updates of a space can have. */
export interface SpaceTag {
  /** The name by which pages and updates refer to it. */
  slug: string
  /** The name that readers see. */
  label: string
  color: (typeof tagColors)[number]
  emoji?: string | undefined
  icon?: string | undefined
}

/** The tags that can be used, in their order, and a warning for each part of the file that is left out. */
export interface ReadTags {
  tags: SpaceTag[]
  warnings: PageWarning[]
}

/** Reads `.gitbook/tags.yaml`, a list of tags; entries and fields that cannot be used are left out with a warning. */
export function readTags(text: string, path: string): ReadTags {
  const yaml = parseYaml(text, { cleansValues: true })
  const refused = (message: string, line: number) => ({ tags: [], warnings: [{ path, message, line }] })
  if (!yaml.ok) return refused(`The tags cannot be read: ${yaml.message}`, yaml.line)
  if (yaml.value === null || yaml.value === undefined) return { tags: [], warnings: [] }
  if (!Array.isArray(yaml.value)) return refused('The tags are not a list', 1)
  const tags = new Map<string, SpaceTag>()
  const warnings = cleanedTextWarnings(yaml, path)
  for (const [at, entry] of (yaml.value as unknown[]).entries()) {
    const line = yaml.lineOf([at])
    const warn = (message: string) => warnings.push({ path, message, ...(line !== undefined && { line }) })
    const read = readTag(entry)
    if ('fault' in read) warn(`The tag ${at + 1} of the list is left out: ${read.fault}`)
    else if (tags.has(read.tag.slug)) warn(`The tag ${read.tag.slug} is there twice; the first one counts`)
    else if (tags.size === frontMatterLimits.spaceTags) {
      warn(`There are more than ${frontMatterLimits.spaceTags} tags; the others are left out`)
      break
    } else {
      tags.set(read.tag.slug, read.tag)
      for (const fault of read.faults) warn(`The tag ${read.tag.slug}: ${fault}`)
    }
  }
  return { tags: [...tags.values()], warnings }
}

function readTag(entry: unknown): { tag: SpaceTag; faults: string[] } | { fault: string } {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return { fault: 'it is not a map' }
  const fields = entry as Partial<Record<'tag' | 'label' | 'color' | 'emoji' | 'icon', unknown>>
  const slug = textOf(fields.tag, frontMatterLimits.tag)
  if (slug === undefined) return { fault: `tag must have 1 to ${frontMatterLimits.tag} characters` }
  const faults: string[] = []
  const text = (name: 'label' | 'emoji' | 'icon', limit: number) => {
    const value = fields[name]
    if (value === undefined || value === null) return undefined
    const read = textOf(value, limit)
    if (read === undefined) faults.push(`${name} must have 1 to ${limit} characters, and is left out`)
    return read
  }
  const label = text('label', frontMatterLimits.tag) ?? slug
  const emoji = text('emoji', frontMatterLimits.icon)
  const icon = text('icon', frontMatterLimits.icon)
  if (emoji !== undefined && icon !== undefined) faults.push('it has an emoji, so that its icon is left out')
  const color = tagColors.find(name => name === fields.color)
  if (color === undefined && fields.color !== undefined && fields.color !== null)
    faults.push(`color must be one of ${tagColors.join(', ')}, and is left out`)
  const look = emoji === undefined ? icon !== undefined && { icon } : { emoji }
  return { tag: { slug, label, color: color ?? 'default', ...look }, faults }
}

/** A text that is not empty, without blanks around it; YAML reads 2.0 as a number. */
function textOf(value: unknown, limit: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).trim()
  return text !== '' && Array.from(text).length <= limit ? text : undefined
}
