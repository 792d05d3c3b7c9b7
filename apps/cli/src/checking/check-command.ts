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
import { type CommandInput, textOption, UsageFailure } from '../terminal/command.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { cacheFolder } from '../terminal/config.ts'
import { openFolder } from '../folders/open-folder.ts'
import { siteFile } from '../folders/site-file.rules.ts'
import { noCache, openCheckCache, parserVersion, type CheckCache } from './check-cache.ts'
import { createPageChecks, workerFile } from './page-checks.ts'
import { pathBelow, withFolder } from './report-paths.rules.ts'

/** Checks a folder for `recto check`; `version` is written into reports. */
export async function check(input: CommandInput, version: string): Promise<number> {
  const folder = input.operands[0] ?? '.'
  const cache = await openCache(folder, input)
  const pageChecks = createPageChecks(cache)
  const progress = createProgress(input.terminal)
  const checkPage = (markdown: string) => progress(pageChecks.check(markdown))
  const findings = await checkFolder(folder, input, checkPage).finally(pageChecks.close)
  input.terminal.progress('')
  input.terminal.write(report(withFolder(findings, pathBelow(process.cwd(), folder)), input, version))
  await cache.save()
  return findings.some(isError) ? 1 : 0
}

async function openCache(folder: string, input: CommandInput): Promise<CheckCache> {
  const parser = input.options['no-cache'] === true ? undefined : await parserVersion(workerFile)
  return parser === undefined ? noCache : openCheckCache(folder, { folder: cacheFolder(), parser })
}

/** Shows how many of the pages that were begun are done. */
function createProgress(terminal: Terminal): <T>(page: Promise<T>) => Promise<T> {
  let begun = 0
  let done = 0
  return async page => {
    begun += 1
    const checked = await page
    done += 1
    terminal.progress(`Checking pages: ${done} of ${begun}`)
    return checked
  }
}

async function checkFolder(
  folder: string,
  input: CommandInput,
  checkPage: CheckOptions['checkPage'],
): Promise<Finding[]> {
  const { source, site, hasSiteFile } = await openFolder(folder)
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
  return [...new Map(findings.map(finding => [finding.fingerprint, finding])).values()]
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

function report(findings: Finding[], input: CommandInput, version: string): string {
  const format = input.options['json'] === true ? 'json' : (textOption(input, 'format') ?? 'text')
  if (format === 'json') return jsonReport(findings)
  if (format === 'sarif') return sarifReport(findings, { version })
  if (format === 'github') return githubReport(findings)
  return format === 'gitlab' ? codeQualityReport(findings) : textReport(findings)
}
