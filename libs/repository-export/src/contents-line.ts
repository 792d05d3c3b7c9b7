import { folderOf } from '@recto/repository-format'
import { posix } from 'node:path'
import { stringify } from 'yaml'
import { plainTitle, type ContentsEntry } from './contents.ts'

/** Escapes a text so that Markdown renders exactly this text. */
function markdownText(title: string): string {
  return plainTitle(title)
    .replace(/[\\`*_[\]<]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/^([-+>#~=]|\d+(?=[.)]))/, (start: string) => (/\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d+)([.)])/, '$1\\$2')
}

/** Escapes the text of a heading; number signs at its end would close the heading. */
export function headingText(title: string): string {
  return markdownText(title).replace(/(?<=^|[ \t])#+$/, '\\$&')
}

/** Encodes the target of a link from SUMMARY.md to a file. */
function markdownTarget(path: string, summary: string): string {
  const relative = posix.relative(folderOf(summary), path).replace(/[%?#<>&]/g, encodeURIComponent)
  const target = /^[a-z][a-z0-9+.-]*:/i.test(relative) ? `./${relative}` : relative
  return /[\s()]/.test(target) ? `<${target}>` : target
}

/** The lines after the marker of a list item: one line, or the code block of a computed entry. */
export function itemText(entry: ContentsEntry, summary: string): string[] {
  if (entry.kind === 'computed') return ['```yaml', ...stringify(entry.computed).trimEnd().split('\n'), '```']
  if (entry.kind === 'link') return [`[${markdownText(entry.title)}](${externalTarget(entry.href ?? '')})`]
  if (entry.path === undefined) return [markdownText(entry.title)]
  return [`[${markdownText(entry.title)}](${markdownTarget(entry.path, summary)})`]
}

function externalTarget(href: string): string {
  return /[\s()<>]/.test(href) ? `<${href.replace(/\s/g, '%20').replace(/[<>]/g, encodeURIComponent)}>` : href
}

/** Replaces the title of a link: the quoted title where the line has one, else the text. Undefined when the line cannot be parsed. */
export function retitleLink(line: string, title: string): string | undefined {
  const quotedTitle = /^(.*\]\(.*\s)("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')(\s*\)\s*)$/.exec(line)
  if (quotedTitle) return `${quotedTitle[1]}"${plainTitle(title).replace(/[\\"]/g, '\\$&')}"${quotedTitle[3]}`
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
