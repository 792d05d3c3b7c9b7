import { plainLine } from '@recto/text'
import type { Finding } from '../findings/finding.ts'

/** Findings as workflow commands, which GitHub shows as annotations of lines. */
export function githubReport(findings: readonly Finding[]): string {
  return findings
    .map(({ severity, file, line, message, rule }) => {
      const properties = [`file=${property(file || '.')}`, line === undefined ? '' : `line=${line}`, `title=${rule}`]
      return `::${severity} ${properties.filter(Boolean).join(',')}::${data(message)}\n`
    })
    .join('')
}

/** A text of a command: what a terminal would interpret is left out, and line breaks are encoded. */
function data(text: string): string {
  const lines = text.split(/(\r|\n)/).map(part => (/^[\r\n]$/.test(part) ? part : plainLine(part)))
  return lines.join('').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
