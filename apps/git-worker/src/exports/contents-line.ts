import { folderOf } from '@recto/repository-format'
import { posix } from 'node:path'
import { stringify } from 'yaml'
import { plainTitle, type ContentsEntry } from './contents.ts'

/** Text as Markdown that reads as this text. */
export function markdownText(title: string): string {
  return plainTitle(title)
    .replace(/[\\`*_[\]<]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/^([-+>#~=]|\d+(?=[.)]))/, (start: string) => (/\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d+)([.)])/, '$1\\$2')
}

/** Text of a heading: number signs at its end would close it, and be no part of it. */
export function headingText(title: string): string {
  return markdownText(title).replace(/(?<=^|[ \t])#+$/, '\\$&')
}

/** The target of a link from SUMMARY.md to a file. */
export function markdownTarget(path: string, summary: string): string {
  const relative = posix.relative(folderOf(summary), path).replace(/[%?#<>&]/g, encodeURIComponent)
  const target = /^[a-z][a-z0-9+.-]*:/i.test(relative) ? `./${relative}` : relative
  return /[\s()]/.test(target) ? `<${target}>` : target
}

/** The text after the marker of a list item: one line, and for a computed entry the lines of its block. */
export function itemText(entry: ContentsEntry, summary: string): string[] {
  if (entry.kind === 'computed') return ['```yaml', ...stringify(entry.computed).trimEnd().split('\n'), '```']
  if (entry.kind === 'link') return [`[${markdownText(entry.title)}](${externalTarget(entry.href ?? '')})`]
  if (entry.path === undefined) return [markdownText(entry.title)]
  return [`[${markdownText(entry.title)}](${markdownTarget(entry.path, summary)})`]
}

function externalTarget(href: string): string {
  return /[\s()<>]/.test(href) ? `<${href.replace(/\s/g, '%20').replace(/[<>]/g, encodeURIComponent)}>` : href
}

/** The line of a link with another title: in quotes where it has one there, else as its text. Undefined when the line is not understood. */
export function retitled(line: string, title: string): string | undefined {
  const quoted = /^(.*\]\(.*\s)("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')(\s*\)\s*)$/.exec(line)
  if (quoted) return `${quoted[1]}"${plainTitle(title).replace(/[\\"]/g, '\\$&')}"${quoted[3]}`
  const start = line.indexOf('[')
  const end = start < 0 ? -1 : closingBracket(line, start)
  if (end < 0 || line[end + 1] !== '(') return undefined
  return `${line.slice(0, start + 1)}${markdownText(title)}${line.slice(end)}`
}

function closingBracket(line: string, start: number): number {
  let depth = 0
  for (let at = start; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === '[') depth++
    else if (line[at] === ']' && --depth === 0) return at
  }
  return -1
}
