import { decodeUriComponent } from '@recto/text'
import { posix } from 'node:path'

/** Characters that some file systems drop from names, so that they can hide a `.git`. */
const ignorable = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff\u00ad]/g
const control = /\p{Cc}/u

/** Returns why the name of a tree entry is refused; undefined for a valid one. */
export function invalidNameReason(name: string): string | undefined {
  if (name === '') return 'is empty'
  if (control.test(name)) return 'holds a control character'
  if (/[/\\]/.test(name)) return 'holds a separator'
  if (name === '.' || name === '..' || /^\.\.?[. ]*$/.test(name.replace(ignorable, '')))
    return 'leads out of its folder'
  if (isGitFolder(name)) return 'stands for .git'
  return undefined
}

/** `.git` in all spellings that Windows and macOS resolve to it. */
function isGitFolder(name: string): boolean {
  const plain = name.replace(ignorable, '').normalize('NFKC').toLowerCase().split(':')[0] ?? ''
  return /^(\.git|git~\d+)[. ]*$/.test(plain)
}

/** Joins paths inside the repository; undefined when the result leaves it or is no path of a repository. The root is the empty path. */
export function joinInside(...parts: string[]): string | undefined {
  if (parts.some(part => part.includes('\0') || part.includes('\\') || /^[a-z]:/i.test(part))) return undefined
  const joined = posix.normalize(posix.join('.', ...parts)).replace(/\/+$/, '')
  if (joined === '.' || joined === '') return ''
  const names = joined.split('/')
  return names.some(name => invalidNameReason(name)) ? undefined : joined
}

/** Returns why `joinInside` finds no path: it leads out of the whole that it is in, or has a name that no repository can hold. */
export function pathFault(parts: readonly string[], whole: 'repository' | 'folder' = 'repository'): string {
  const isOutside = posix.normalize(posix.join('.', ...parts)).split('/')[0] === '..'
  return isOutside ? `leads out of the ${whole}` : 'has a name that no repository can hold'
}

/** Tells whether a path given by a user is absolute, in POSIX or Windows spelling. */
export function isAbsolutePath(path: string): boolean {
  return /^([/\\]|[a-z]:)/i.test(path)
}

/** The folder of a path, empty at the root. */
export function folderOf(path: string): string {
  const at = path.lastIndexOf('/')
  return at < 0 ? '' : path.slice(0, at)
}

/** The last name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** A path with a number before its extension, `-1` for 1; 0 is the path itself. */
export function numberedPath(path: string, number: number): string {
  if (number === 0) return path
  const dot = path.lastIndexOf('.')
  const end = dot > path.lastIndexOf('/') && dot < path.length - 1 ? dot : path.length
  return `${path.slice(0, end)}-${number}${path.slice(end)}`
}

/** Tells whether a path names a Markdown file. */
export function isMarkdown(path: string): boolean {
  return /\.(md|markdown)$/i.test(path)
}

/** Tells whether a path is that of a folder or below it. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

/** The target of a link as a path of the repository: decoded, without query and anchor, seen from a folder. */
export function linkedPath(target: string, folder: string): string | undefined {
  const bare = target.replace(/[?#].*$/s, '')
  if (bare === '' || isExternal(target)) return undefined
  const path = decodeUriComponent(bare) ?? bare
  return path.startsWith('/') ? joinInside(path.slice(1)) : joinInside(folder, path)
}

/** Tells whether a target has a scheme or a host of its own. */
export function isExternal(target: string): boolean {
  return /^([a-z][a-z0-9+.-]+:|\/\/)/i.test(target)
}
