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

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
