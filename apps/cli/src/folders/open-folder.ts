import { basename, resolve } from 'node:path'
import { bounds, type FileSource } from '@recto/repository-content'
import { UsageFailure } from '../terminal/command.ts'
import { folderSource } from './folder-source.ts'
import { requireFolder } from './require-folder.ts'
import { readSiteFile, siteFile, type FolderSite } from './site-file.rules.ts'

/** A folder with the spaces that it has. */
export interface OpenFolder {
  source: FileSource
  site: FolderSite
  /** Whether `recto.yaml` names the spaces. */
  hasSiteFile: boolean
}

/** Opens a folder. Throws `UsageFailure` for what is none, or whose `recto.yaml` cannot be read. */
export async function openFolder(folder: string): Promise<OpenFolder> {
  await requireFolder(folder)
  return openSource(folder, await folderSource(folder))
}

/** Opens a folder whose files are listed. Throws `UsageFailure` for one whose `recto.yaml` cannot be read. */
export async function openSource(folder: string, source: FileSource): Promise<OpenFolder> {
  const file = source.files.find(({ path }) => path === siteFile)
  if (file && file.size > bounds.configurationBytes) throw new UsageFailure(`${siteFile} is too large`)
  const text = file && Buffer.from(await source.read(siteFile)).toString()
  const hasFiles = (path: string) => path === '' || source.files.some(file => file.path.startsWith(`${path}/`))
  const site = readSiteFile(text, { name: basename(resolve(folder)), hasFiles })
  if (typeof site === 'string') throw new UsageFailure(site)
  return { source, site, hasSiteFile: file !== undefined }
}
