import { folderOf, linkedPath } from '@recto/repository-format'

const patterns = [
  /\]\(\s*<([^<>\n]+)>/g,
  /\]\((?!\s*<)([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)/g,
  /^ {0,3}\[[^\]\n]+\]:[ \t]*(\S+)/gm,
  /\b(?:src|srcset|href|url)="([^"\n]+)"/g,
]

/** Characters; longer targets are ignored. */
const maxTargetLength = 2_048

/** Finds the repository paths that a page may refer to; false positives are harmless. */
export function referencedPaths(text: string, page: string): Set<string> {
  const folder = folderOf(page)
  const targets = patterns.flatMap(pattern =>
    [...text.matchAll(pattern)].flatMap(([, target = '']) =>
      target.length > maxTargetLength ? [] : [withoutTitle(target.trim())],
    ),
  )
  return new Set(targets.map(target => linkedPath(target, folder)).filter(path => path !== undefined))
}

function withoutTitle(target: string): string {
  const at = target.search(/\s["'(]/)
  return at < 0 ? target : target.slice(0, at).trimEnd()
}
