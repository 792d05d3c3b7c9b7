import {
  checkRepository,
  type CheckOptions,
  codeQualityReport,
  githubReport,
  isError,
  jsonReport,
  sarifReport,
  textReport,
  type Finding,
} from '@recto/repository-check'
import type { FileSource } from '@recto/repository-content'
import { openSource } from '../folders/open-folder.ts'
import { siteFile } from '../folders/site-file.rules.ts'
import { type CommandInput, textOption, UsageFailure } from '../terminal/command.ts'
import { pathBelow, withFolder } from './report-paths.rules.ts'

/** A folder whose files are listed, and what checks its pages. */
export interface CheckedFolder {
  folder: string
  source: FileSource
  checkPage: CheckOptions['checkPage']
}

/** Checks each space of a folder; paths of findings are as people call them from where they are. */
export async function checkFolder(
  { folder, source, checkPage }: CheckedFolder,
  input: CommandInput,
): Promise<Finding[]> {
  const { site, hasSiteFile } = await openSource(folder, source)
  const publicUrl = publicUrlOf(input)
  const spaceIds = textOption(input, 'space')?.split(',')
  const findings: Finding[] = []
  for (const { path } of site.spaces) {
    const others = site.spaces.filter(space => space.path !== path && space.path !== '')
    findings.push(
      ...(await checkRepository(source, {
        project: path,
        publicUrl,
        spaceIds,
        otherSpaces: others.map(space => space.path),
        siteFile: hasSiteFile ? siteFile : undefined,
        sizes: sizesOf(input),
        checkPage,
      })),
    )
  }
  // Findings about the whole folder are there once for each space.
  const distinct = [...new Map(findings.map(finding => [finding.fingerprint, finding])).values()]
  return withFolder(distinct, pathBelow(process.cwd(), folder))
}

function publicUrlOf(input: CommandInput): string | undefined {
  const text = textOption(input, 'public-url')
  if (text === undefined) return undefined
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new UsageFailure('--public-url is an address such as https://docs.example/')
  return text.replace(/\/+$/, '')
}

function sizesOf(input: CommandInput): { maxImageBytes?: number } {
  const text = textOption(input, 'max-image')
  if (text === undefined) return {}
  const megabytes = Number(text)
  if (!(megabytes > 0)) throw new UsageFailure('--max-image is a number of megabytes above 0')
  return { maxImageBytes: megabytes * 1024 * 1024 }
}

/** Whether a check has failed. */
export const hasErrors = (findings: Finding[]) => findings.some(isError)

/** Writes findings in the format that a command names. */
export function report(findings: Finding[], input: CommandInput, version: string): string {
  const format = input.options['json'] === true ? 'json' : (textOption(input, 'format') ?? 'text')
  if (format === 'json') return jsonReport(findings)
  if (format === 'sarif') return sarifReport(findings, { version })
  if (format === 'github') return githubReport(findings)
  return format === 'gitlab' ? codeQualityReport(findings) : textReport(findings)
}
