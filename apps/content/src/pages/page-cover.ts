import type { CoverLook, PageCover } from '@recto/markdown'
import { folderOf, isExternal, linkedPath } from '@recto/repository-format'
import type { FileRecord, PageRecord } from '../revisions/records.ts'
import { filePath, pageFile } from './repository-files.ts'
import { relativePath } from './write-target.ts'

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

/**
 * The front matter that gives a page its cover, the inverse of `pageCover` and `coverOf`; undefined when one of its images is no file of the
 * content.
 */
export function frontMatterOfCover(
  cover: Record<string, unknown>,
  page: string,
  content: { fileById(id: string): FileRecord | undefined },
): Record<string, unknown> | undefined {
  const { ref, refDark, yPos, height, textColor, textColorDark } = cover as {
    ref?: Reference
    refDark?: Reference
  } & Partial<CoverLook>
  const targetOf = (reference: Reference | undefined) => {
    if (!reference || reference.kind === 'url') return reference?.url
    const file = content.fileById(reference.file)
    return file && relativePath(page, filePath(file))
  }
  const light = targetOf(ref)
  const dark = targetOf(refDark)
  if ((ref && light === undefined) || (refDark && dark === undefined)) return undefined
  const isOneColor = textColor === textColorDark
  return {
    cover: dark === undefined ? light : { ...(light !== undefined && { light }), dark },
    coverY: yPos || undefined,
    coverHeight: height,
    coverTextColor: isOneColor
      ? textColor
      : { ...(textColor && { light: textColor }), ...(textColorDark && { dark: textColorDark }) },
  }
}
