import { describe, expect, it } from '@jest/globals'
import { finishFindings } from '../findings/finding.ts'
import { codeQualityReport } from './code-quality.ts'
import { githubReport } from './github.ts'
import { jsonReport } from './json.ts'
import { sarifReport } from './sarif.ts'
import { textReport } from './text.ts'

const findings = finishFindings([
  { rule: 'link', file: 'a b,c:d.md', line: 3, message: 'x leads nowhere\n100%', target: 'x' },
  { rule: 'file', file: 'line\nbreak', message: 'left out \u001b[31m' },
])
const first = findings.find(({ rule }) => rule === 'link')
const parse = (text: string) => JSON.parse(text) as unknown

describe('the reports of findings', () => {
  it('Text has a line for each finding, and nothing that a terminal interprets', () =>
    expect(textReport(findings)).toBe(
      'a b,c:d.md:3: error: x leads nowhere\\u000a100% (link)\n' +
        'line\\u000abreak: warning: left out \\u001b[31m (file)\n' +
        '1 error, 1 warning\n',
    ))

  it('JSON has the findings and their number', () =>
    expect(parse(jsonReport(findings))).toEqual({ version: 1, errors: 1, warnings: 1, findings }))

  it('SARIF has the rules, places and fingerprints', () =>
    expect(parse(sarifReport(findings, { version: '1.2.3' }))).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'recto check', semanticVersion: '1.2.3' } },
          results: [
            {
              ruleId: 'link',
              level: 'error',
              locations: [
                { physicalLocation: { artifactLocation: { uri: 'a%20b%2Cc%3Ad.md' }, region: { startLine: 3 } } },
              ],
              partialFingerprints: { 'recto/v1': first?.fingerprint },
            },
            { ruleId: 'file', level: 'warning' },
          ],
        },
      ],
    }))

  it('A name ends no annotation', () =>
    expect(githubReport(findings)).toBe(
      '::error file=a b%2Cc%3Ad.md,line=3,title=link::x leads nowhere%0A100%25\n' +
        '::warning file=line%0Abreak,title=file::left out \\u001b[31m\n',
    ))

  it('A code quality report has fingerprints and places', () =>
    expect(parse(codeQualityReport(findings))).toMatchObject([
      {
        check_name: 'link',
        severity: 'major',
        fingerprint: first?.fingerprint,
        location: { path: 'a b,c:d.md', lines: { begin: 3 } },
      },
      { check_name: 'file', severity: 'minor' },
    ]))
})
