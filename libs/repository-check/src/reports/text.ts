import { plainLine } from '@recto/text'
import { isError, type Finding } from '../findings/finding.ts'

/** Findings as lines of text, as compilers write them, with their number below. */
export function textReport(findings: readonly Finding[]): string {
  const lines = findings.map(({ file, line, severity, message, rule }) => {
    const place = [plainLine(file) || '.', line].filter(part => part !== undefined).join(':')
    return `${place}: ${severity}: ${plainLine(message)} (${rule})\n`
  })
  const errors = findings.filter(isError).length
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
  return `${lines.join('')}${count(errors, 'error')}, ${count(findings.length - errors, 'warning')}\n`
}
