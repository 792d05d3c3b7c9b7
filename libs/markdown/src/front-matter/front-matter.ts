import { parseWithFaults } from '@recto/schema-faults'
import { z } from 'zod'
import { frontMatterLimits } from './limits.ts'
import { splitPage } from './split-page.ts'
import { usableVariables, type PageVariables } from './variables.ts'
import type { PageWarning } from './warning.ts'
import { cleanedTextWarnings, parseYaml } from './yaml.ts'

const Visibility = z.object({ visible: z.boolean().optional() }).optional()

const Layout = z.object({
  width: z.enum(['default', 'wide']).optional(),
  cover: z
    .object({
      visible: z.boolean().optional(),
      size: z.enum(['hero', 'full', 'background']).optional(),
      mask: z.enum(['none', 'radial']).optional(),
    })
    .optional(),
  title: Visibility,
  description: Visibility,
  tableOfContents: Visibility,
  outline: Visibility,
  pagination: Visibility,
  metadata: Visibility,
  tags: Visibility,
  actions: Visibility,
  anchors: Visibility,
})

const TextColor = z.enum(['black', 'white'])

/** The address of a page that a meta link leads to: a path of the repository or a URL. */
const MetaLink = z
  .string()
  .refine(
    target => target.trim() !== '' && target.length <= frontMatterLimits.metaLink,
    `must have 1 to ${frontMatterLimits.metaLink} characters`,
  )

const Tag = z.string().refine(name => name.trim() !== '' && Array.from(name).length <= frontMatterLimits.tag)

const fields = {
  title: z.string(),
  linkTitle: z
    .string()
    .refine(
      title => title.trim() !== '' && Array.from(title).length <= frontMatterLimits.linkTitle,
      `must have 1 to ${frontMatterLimits.linkTitle} characters`,
    ),
  description: z.string(),
  icon: z
    .string()
    .refine(
      name => Array.from(name).length <= frontMatterLimits.icon,
      `must have at most ${frontMatterLimits.icon} characters`,
    ),
  hidden: z.boolean(),
  noIndex: z.boolean(),
  noRobotsIndex: z.boolean(),
  cover: z.union(
    [z.string(), z.object({ light: z.string().optional(), dark: z.string().optional() })],
    'must be a path, or light and dark',
  ),
  coverY: z.number(),
  coverHeight: z.number().min(frontMatterLimits.coverHeight.min).max(frontMatterLimits.coverHeight.max),
  coverTextColor: z.union(
    [TextColor, z.object({ light: TextColor.optional(), dark: TextColor.optional() })],
    'must be black or white, or one of them for light and dark',
  ),
  layout: Layout,
  vars: z.record(z.string(), z.unknown(), 'must be a map'),
  if: z.union([z.string(), z.boolean()]),
  metaLinks: z.object({
    canonical: MetaLink.optional(),
    alternates: z
      .array(MetaLink)
      .max(frontMatterLimits.alternates, `must have at most ${frontMatterLimits.alternates} entries`)
      .optional(),
  }),
  tags: z
    .array(
      z.union([Tag, z.object({ tag: Tag, primary: z.boolean().optional() })], 'must be a name, or tag and primary'),
    )
    .max(frontMatterLimits.tags, `must have at most ${frontMatterLimits.tags} entries`),
}

type Fields = typeof fields

/** The settings of a page, as far as they could be read. Other keys belong to other tools. */
export type FrontMatter = { [Key in keyof Omit<Fields, 'vars'>]?: z.infer<Fields[Key]> } & {
  vars?: PageVariables
}

/** A page in its two parts. */
export interface PageSource {
  frontMatter: FrontMatter
  body: string
  warnings: PageWarning[]
}

/** Splits a page and reads its front matter; what cannot be read is a warning with its line, and the page is imported all the same. */
export function readPageSource(text: string, path: string): PageSource {
  const { head, body } = splitPage(text)
  if (head === undefined) return { frontMatter: {}, body, warnings: [] }
  if (head.length > frontMatterLimits.bytes)
    return {
      body,
      frontMatter: {},
      warnings: [
        {
          path,
          message: `The front matter is larger than the limit of ${frontMatterLimits.bytes} bytes and is ignored`,
          line: 1,
        },
      ],
    }
  const yaml = parseYaml(head, { firstLine: 2 })
  if (!yaml.ok)
    return {
      body,
      frontMatter: {},
      warnings: [{ path, message: `The front matter cannot be read: ${yaml.message}`, line: yaml.line }],
    }
  if (yaml.value === null || yaml.value === undefined) return { body, frontMatter: {}, warnings: [] }
  if (typeof yaml.value !== 'object' || Array.isArray(yaml.value))
    return { body, frontMatter: {}, warnings: [{ path, message: 'The front matter is not a map of fields', line: 2 }] }
  const warnings: PageWarning[] = cleanedTextWarnings(yaml, path)
  const frontMatter: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(fields)) {
    const value = (yaml.value as Record<string, unknown>)[key]
    if (value === null || value === undefined) continue
    const parsed = parseWithFaults<z.ZodType>(schema, value, [key])
    if (parsed.success) {
      frontMatter[key] = parsed.data
      continue
    }
    const [fault] = parsed.faults
    warnings.push({
      path,
      message: `The field ${fault?.path ?? key} of the front matter is ignored: ${fault?.message ?? 'is not valid'}`,
      line: yaml.lineOf(fault?.keys ?? [key]) ?? 2,
    })
  }
  if (frontMatter['vars'] !== undefined) {
    const read = usableVariables(frontMatter['vars'] as object, { path, lineOf: name => yaml.lineOf(['vars', name]) })
    frontMatter['vars'] = read.variables
    warnings.push(...read.warnings)
  }
  return { body, frontMatter, warnings }
}
