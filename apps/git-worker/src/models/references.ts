import { folderOf, linkedPath } from './paths.ts'

const patterns = [
  /\]\(\s*<([^<>\n]+)>/g,
  /\]\((?!\s*<)([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)/g,
  /^ {0,3}\[[^\]\n]+\]:[ \t]*(\S+)/gm,
  /\b(?:src|srcset|href|url)="([^"\n]+)"/g,
]

/** Paths of the repository that a page may refer to. It rather finds too much than too little: what is not there does no harm. */
export function referencedPaths(text: string, page: string): Set<string> {
  const folder = folderOf(page)
  const targets = patterns.flatMap(pattern => [...text.matchAll(pattern)].map(([, target = '']) => target.trim().replace(/\s+["'(].*$/, '')))
  return new Set(targets.map(target => linkedPath(target, folder)).filter(path => path !== undefined))
}
