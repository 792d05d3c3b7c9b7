import { rules, type Finding } from '../findings/finding.ts'

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** Findings as SARIF 2.1.0, which code hosts show in pull requests. */
export function sarifReport(findings: readonly Finding[], { version }: { version: string }): string {
  const names = Object.keys(rules)
  const driver = {
    name: 'recto check',
    semanticVersion: version,
    rules: Object.entries(rules).map(([id, { summary, severity }]) => ({
      id,
      shortDescription: { text: summary },
      defaultConfiguration: { level: severity },
    })),
  }
  const results = findings.map(finding => ({
    ruleId: finding.rule,
    ruleIndex: names.indexOf(finding.rule),
    level: finding.severity,
    message: { text: finding.message },
    locations: [{ physicalLocation: locationOf(finding) }],
    partialFingerprints: { 'recto/v1': finding.fingerprint },
  }))
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [{ tool: { driver }, results }] }, null, 2)}\n`
}

function locationOf({ file, line }: Finding): object {
  const uri = file === '' ? '.' : file.split('/').map(encodeURIComponent).join('/')
  return { artifactLocation: { uri }, region: { startLine: line ?? 1 } }
}
