import { folderOf, linkedPath } from './paths.ts'

const patterns = [
  /\]\(\s*<([^<>\n]+)>/g,
  /\]\((?!\s*<)([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)/g,
  /^ {0,3}\[[^\]\n]+\]:[ \t]*(\S+)/gm,
  /\b(?:src|srcset|href|url)="([^"\n]+)"/g,
]

/** What is longer is no path, and is not looked at. */
const maxTargetLength = 2_048

/** Paths of the repository that a page may refer to. It rather finds too much than too little: what is not there does no harm. */
export function referencedPaths(text: string, page: string): Set<string> {
  const folder = folderOf(page)
  const targets = patterns.flatMap(pattern =>
    [...text.matchAll(pattern)].flatMap(([, found = '']) =>
      found.length > maxTargetLength ? [] : [withoutTitle(found.trim())],
    ),
  )
  return new Set(targets.map(target => linkedPath(target, folder)).filter(path => path !== undefined))
}

function withoutTitle(target: string): string {
  const at = target.search(/\s["'(]/)
  return at < 0 ? target : target.slice(0, at).trimEnd()
}
