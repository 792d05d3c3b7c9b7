import { folderSource } from '../folders/folder-source.ts'
import { requireFolder } from '../folders/require-folder.ts'
import type { CommandInput } from '../terminal/command.ts'
import { cacheFolder } from '../terminal/config.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { beginChecks } from './begin-checks.ts'
import { noCache, openCheckCache, parserVersion, type CheckCache } from './check-cache.ts'
import { createPageChecks, workerFile } from './page-checks.ts'

/** Checks a folder for `recto check`; `version` is written into reports. */
export async function check(input: CommandInput, version: string): Promise<number> {
  const folder = input.operands[0] ?? '.'
  const cache = await openCache(folder, input)
  const pageChecks = createPageChecks(cache)
  const progress = createProgress(input.terminal)
  const checkPage = (markdown: string) => progress(pageChecks.check(markdown))
  try {
    await requireFolder(folder)
    const source = await folderSource(folder)
    // The code that reads the structure of folders is loaded while threads check the first pages.
    if (cache.isEmpty) await beginChecks(source, pageChecks).catch(() => undefined)
    const { checkFolder, hasErrors, report } = await import('./check-folder.ts')
    const findings = await checkFolder({ folder, source, checkPage }, input)
    input.terminal.progress('')
    input.terminal.write(report(findings, input, version))
    await cache.save()
    return hasErrors(findings) ? 1 : 0
  } finally {
    await pageChecks.close()
  }
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
