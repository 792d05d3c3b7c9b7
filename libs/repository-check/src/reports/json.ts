import { isError, type Finding } from '../findings/finding.ts'

/** Findings as a JSON document. */
export function jsonReport(findings: readonly Finding[]): string {
  const errors = findings.filter(isError).length
  return `${JSON.stringify({ version: 1, errors, warnings: findings.length - errors, findings }, null, 2)}\n`
}
