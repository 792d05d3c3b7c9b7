import { baseName, folderOf, numberedPath } from '@recto/repository-format'
import type { FileRecord, PageRecord, ReusableRecord } from '../revisions/records.ts'

/** The folder of uploaded files in a repository, below the content's folder. */
export const assetsFolder = '.gitbook/assets'

/** The path of a page's Markdown file in a repository, from which its links resolve; undefined for a page without file. */
export function pageFile({ git, file }: Pick<PageRecord, 'git' | 'file'>): string | undefined {
  return git?.path ?? file
}

/** The path of a file in a repository, to which links resolve. */
export function filePath({ git, file, name }: Pick<FileRecord, 'git' | 'file' | 'name'>): string {
  return git?.path ?? file ?? `${assetsFolder}/${name}`
}

/** The path of a reusable content in a repository. */
export function reusableFile({ git, file, title }: Pick<ReusableRecord, 'git' | 'file' | 'title'>): string {
  return git?.path ?? file ?? `.gitbook/includes/${title}.md`
}

/** The folder in which the files of the pages below a page are. */
export function folderBelow(parent: Pick<PageRecord, 'git' | 'file' | 'slug'> | undefined, root: string): string {
  if (!parent) return root
  const file = pageFile(parent)
  if (file === undefined) return joinPath(root, parent.slug ?? '')
  const isReadme = /^readme\.(?:md|markdown)$/i.test(baseName(file))
  return isReadme ? folderOf(file) : file.replace(/\.[^./]+$/, '')
}

/** A path that no other file has: `basePath`, or with `-1`, `-2` … before its extension. Letter case does not distinguish paths, as on macOS and Windows. */
export function freePath(basePath: string, isTaken: (path: string) => boolean): string {
  for (let count = 0; ; count += 1) {
    const path = numberedPath(basePath, count)
    if (!isTaken(path.toLowerCase())) return path
  }
}

/** Joins a folder, empty at the root, and a name. */
export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
