import {
  checkRepository,
  codeQualityReport,
  githubReport,
  isError,
  jsonReport,
  sarifReport,
  textReport,
  type Finding,
} from '@recto/repository-check'
import { type Command, type CommandInput, textOption, UsageFailure } from '../terminal/command.ts'
import { createPageChecks, type PageChecks } from './page-checks.ts'
import { openFolder } from '../folders/open-folder.ts'

const formats = ['text', 'json', 'sarif', 'github', 'gitlab'] as const

/** `recto check`. */
export function checkCommand(version: string): Command {
  return {
    name: 'check',
    operands: ['DIR'],
    summary: 'Check links, table of contents, front matter, configuration, blocks and sizes',
    options: {
      format: { type: 'string', choices: formats, summary: 'How findings are written; text unless given' },
      json: { type: 'boolean', summary: 'The same as --format json' },
      'public-url': {
        type: 'string',
        value: 'URL',
        summary: 'Address of the application, to recognise links to spaces',
      },
      space: { type: 'string', value: 'IDS', summary: 'Ids of the spaces that exist there, by commas' },
      'max-image': { type: 'string', value: 'MB', summary: 'Megabytes of an image; 5 unless given' },
    },
    async run(input) {
      const pageChecks = createPageChecks()
      const findings = await checkFolder(input, pageChecks).finally(pageChecks.close)
      input.terminal.write(report(findings, input, version))
      return findings.some(isError) ? 1 : 0
    },
  }
}

async function checkFolder(input: CommandInput, pageChecks: PageChecks): Promise<Finding[]> {
  const { operands, terminal } = input
  const { source, site } = await openFolder(operands[0] ?? '.')
  const spaceIds = textOption(input, 'space')?.split(',')
  const findings: Finding[] = []
  for (const { path } of site.spaces) {
    const others = site.spaces.filter(space => space.path !== path && space.path !== '')
    findings.push(
      ...(await checkRepository(source, {
        project: path,
        publicUrl: textOption(input, 'public-url')?.replace(/\/+$/, ''),
        spaceIds,
        otherSpaces: others.map(space => space.path),
        sizes: sizesOf(input),
        checkPages: texts =>
          pageChecks.run(texts, done => terminal.progress(`Checking pages: ${done} of ${texts.length}`)),
      })),
    )
  }
  terminal.progress('')
  // Findings about the whole folder are there once for each space.
  return [...new Map(findings.map(finding => [finding.fingerprint, finding])).values()]
}

function sizesOf(input: CommandInput): { maxImageBytes?: number } {
  const text = textOption(input, 'max-image')
  if (text === undefined) return {}
  const megabytes = Number(text)
  if (!(megabytes > 0)) throw new UsageFailure('--max-image is a number of megabytes')
  return { maxImageBytes: megabytes * 1024 * 1024 }
}

function report(findings: Finding[], input: CommandInput, version: string): string {
  const format = input.options['json'] === true ? 'json' : (textOption(input, 'format') ?? 'text')
  if (format === 'json') return jsonReport(findings)
  if (format === 'sarif') return sarifReport(findings, { version })
  if (format === 'github') return githubReport(findings)
  return format === 'gitlab' ? codeQualityReport(findings) : textReport(findings)
}
