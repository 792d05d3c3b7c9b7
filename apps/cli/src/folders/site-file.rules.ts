import { parseYaml } from '@recto/markdown'
import { joinInside, pathFault, slugOfTitle, baseName } from '@recto/repository-format'
import { parseWithFaults } from '@recto/schema-faults'
import { z } from 'zod'

/** A space of a folder. */
export interface FolderSpace {
  /** The folder of its content; empty for the folder itself. */
  path: string
  title: string
  slug: string
}

/** The spaces that a folder shows together. */
export interface FolderSite {
  title: string
  spaces: FolderSpace[]
}

/** The file that names several spaces. */
export const siteFile = 'recto.yaml'

const Slug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower case letters, digits and hyphens')

const File = z.strictObject({
  title: z.string().min(1).optional(),
  spaces: z
    .array(z.strictObject({ path: z.string().min(1), title: z.string().min(1).optional(), slug: Slug.optional() }))
    .min(1)
    .max(100),
})

/** The folder that a site file is in. */
export interface SiteFolder {
  name: string
  /** Whether a folder below it has a file that is no symbolic link. */
  hasFiles(path: string): boolean
}

/** Reads the file that names spaces; without a text, the folder is one space. A string is the message of its fault. */
export function readSiteFile(text: string | undefined, folder: SiteFolder): FolderSite | string {
  const name = folder.name || 'Documentation'
  if (text === undefined) return { title: name, spaces: [{ path: '', title: name, slug: 'space' }] }
  const yaml = parseYaml(text)
  if (!yaml.ok) return `${siteFile}, line ${yaml.line}: ${yaml.message}`
  const result = parseWithFaults(File, yaml.value)
  if (!result.success) {
    const [fault] = result.faults
    const place = [siteFile, lineName(yaml.lineOf(fault?.keys ?? []))].filter(Boolean).join(', ')
    return `${place}, ${fault?.path || 'the file'}: ${fault?.message ?? 'is not valid'}`
  }
  const spaces: FolderSpace[] = []
  for (const { path: folderPath, title, slug } of result.data.spaces) {
    const path = joinInside(folderPath)
    if (folderPath.startsWith('/')) return `${siteFile}: ${folderPath} leads out of the folder`
    if (path === undefined) return `${siteFile}: ${folderPath} ${pathFault([folderPath], 'folder')}`
    const spaceTitle = title ?? (baseName(path) || name)
    spaces.push({ path, title: spaceTitle, slug: slug ?? slugOfTitle(spaceTitle) })
  }
  if (new Set(spaces.map(({ slug }) => slug)).size < spaces.length) return `${siteFile}: two spaces have the same slug`
  const missing = spaces.findIndex(({ path }) => !folder.hasFiles(path))
  if (missing >= 0) {
    const place = [siteFile, lineName(yaml.lineOf(['spaces', missing, 'path']))].filter(Boolean).join(', ')
    return `${place}, spaces.${missing}.path: there is no folder ${spaces[missing]?.path} with files`
  }
  return { title: result.data.title ?? name, spaces }
}

function lineName(line: number | undefined): string {
  return line === undefined ? '' : `line ${line}`
}
