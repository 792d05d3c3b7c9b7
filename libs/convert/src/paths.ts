import { posix } from 'node:path'

const maxNameLength = 100

/** The folder of a path; empty at the top. */
export function folderOf(path: string): string {
  const at = path.lastIndexOf('/')
  return at < 0 ? '' : path.slice(0, at)
}

/** The last name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The path of a name in a folder. */
export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** A name that every file system accepts, from any text; `fallback` when nothing is left of it. */
export function cleanName(text: string, fallback: string): string {
  const cleaned = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\\/:*?"<>|#%]+/gu, '-')
    .replace(/^[.\s-]+|[.\s-]+$/g, '')
  if (cleaned.length <= maxNameLength) return cleaned || fallback
  const extension = /\.[a-z0-9]{1,8}$/i.exec(cleaned)?.[0] ?? ''
  return `${Array.from(cleaned.slice(0, maxNameLength - extension.length)).join('')}${extension}`
}

/** The slug of a page from a name or a title: letters, digits and hyphens, at most 100 characters. */
export function slugOf(text: string): string {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return Array.from(words.join('-')).slice(0, maxNameLength).join('').replace(/-+$/, '') || 'page'
}

/** Hands out values that differ regardless of case: the second of a kind gets `-2` before its extension. */
export function uniqueNames(taken: Iterable<string> = []): (name: string) => string {
  const used = new Set(Array.from(taken, name => name.toLowerCase()))
  const next = new Map<string, number>()
  return preferred => {
    const extension = /(?<=[^/])\.[^./]+$/.exec(preferred)?.[0] ?? ''
    const stem = preferred.slice(0, preferred.length - extension.length)
    let name = preferred
    let count = next.get(preferred.toLowerCase()) ?? 1
    while (used.has(name.toLowerCase())) name = `${stem}-${++count}${extension}`
    next.set(preferred.toLowerCase(), count)
    used.add(name.toLowerCase())
    return name
  }
}

/** The path from a file to another, percent-encoded as far as a Markdown link needs. */
export function relativeLink(from: string, to: string): string {
  const path = posix.relative(folderOf(from), to)
  return path.replace(/[\s()<>[\]\\%?#"'`*]/g, character => encodeURIComponent(character).replace(/[()'*]/g, hex))
}

const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** A title from a file name: `getting-started.md` becomes `Getting started`. */
export function titleOfName(name: string): string {
  const words = name
    .replace(/\.[a-z0-9]{1,8}$/i, '')
    .replace(/[-_\s]+/g, ' ')
    .trim()
  return words === '' ? 'Untitled' : words.charAt(0).toUpperCase() + words.slice(1)
}

/** Whether a path names a Markdown file. */
export const isMarkdown = (path: string): boolean => /\.(md|markdown|mdown)$/i.test(path)

/** Whether a path names an HTML page. */
export const isHtml = (path: string): boolean => /\.(html?|xhtml)$/i.test(path)

/** Whether a page shows its folder. */
export const isIndex = (path: string): boolean => /^(readme|index)\.[a-z]+$/i.test(baseName(path))
