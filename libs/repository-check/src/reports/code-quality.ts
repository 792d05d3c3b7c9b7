import type { Finding } from '../findings/finding.ts'

const severities = { error: 'major', warning: 'minor' } as const

/** Findings as the issues of a code quality report of GitLab, which has the form of those of Code Climate. */
export function codeQualityIssues(findings: readonly Finding[]) {
  return findings.map(({ rule, severity, file, line, message, fingerprint }) => ({
    description: message,
    check_name: rule,
    fingerprint,
    severity: severities[severity],
    location: { path: file || '.', lines: { begin: line ?? 1 } },
  }))
}

/** Findings as a code quality report, which GitLab shows in merge requests. */
export function codeQualityReport(findings: readonly Finding[]): string {
  return `${JSON.stringify(codeQualityIssues(findings), null, 2)}\n`
}
