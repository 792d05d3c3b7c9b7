import type { PageCover } from '@recto/markdown'
import { folderOf, isExternal, linkedPath } from '@recto/repository-format'
import type { PageRecord } from '../revisions/records.ts'
import { pageFile } from './repository-files.ts'

type Reference = { kind: 'url'; url: string } | { kind: 'file'; file: string }

interface FilesByPath {
  byPath(path: string): { id: string } | undefined
}

/** The cover of a page, with its images as references; undefined when none of them is a URL or a file of the content. */
export function coverOf(
  cover: PageCover | undefined,
  page: Pick<PageRecord, 'git' | 'file'>,
  content: { files: FilesByPath },
): Record<string, unknown> | undefined {
  if (!cover) return undefined
  const folder = folderOf(pageFile(page) ?? '')
  const ref = referenceTo(cover.light, folder, content)
  const refDark = referenceTo(cover.dark, folder, content)
  if (!ref && !refDark) return undefined
  const { light: _light, dark: _dark, ...look } = cover
  return { ...look, ...(ref && { ref }), ...(refDark && { refDark }) }
}

function referenceTo(
  target: string | undefined,
  folder: string,
  { files }: { files: FilesByPath },
): Reference | undefined {
  if (target === undefined) return undefined
  if (isExternal(target)) return { kind: 'url', url: target }
  const file = files.byPath(linkedPath(target, folder) ?? '')
  return file && { kind: 'file', file: file.id }
}
