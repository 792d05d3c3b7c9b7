import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { plainLine } from '@recto/text'
import type { CommandInput } from '../terminal/command.ts'
import { startFolderReader } from '../site/folder-reader.ts'
import { addressOf, basePathOf, redirectSources } from '../site/redirects.rules.ts'
import { exportSite, type ExportOptions, type ExportResult } from './export-site.ts'
import { folderFault } from './folder-faults.rules.ts'
import { checkOutput } from './prepare-output.ts'
import { classicScript } from './rewrite-page.rules.ts'

/** Exports a published site or a folder for `recto export`. */
export async function exportPages(input: CommandInput): Promise<number> {
  const { operands, options, terminal } = input
  const [source = '.', out = ''] = operands
  await checkOutput(out)
  const result = /^https?:\/\//i.test(source)
    ? await exportAddress(source, out, input)
    : await exportFolder(source, out, input)
  terminal.progress('')
  for (const fault of result.faults) terminal.note(`recto: ${plainLine(fault)}`)
  terminal.write(
    options['json'] === true
      ? `${JSON.stringify(result, null, 2)}\n`
      : `${counted(result.pages, 'page')} and ${counted(result.files, 'file')} are in ${out}\n`,
  )
  return result.faults.length > 0 ? 1 : 0
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function exportAddress(address: string, out: string, input: CommandInput): Promise<ExportResult> {
  return exportSite(address, out, optionsOf(input))
}

function optionsOf({ terminal }: CommandInput): ExportOptions {
  return {
    search: { 'exported-search.js': exportedSearch() },
    signal: terminal.signal,
    onProgress: (done, total) => terminal.progress(`Reading pages and files: ${done} of ${total}`),
  }
}

/** The script of the search. */
const exportedSearch = () =>
  classicScript(readFileSync(fileURLToPath(new URL('./assets/exported-search.js', import.meta.url)), 'utf8'))

async function exportFolder(folder: string, out: string, input: CommandInput): Promise<ExportResult> {
  const reader = await startFolderReader(folder)
  const faultOf = (url: URL, reason: string) => folderFault(url, reason, reader.site.state())
  const { spaces } = reader.site.state()
  const redirects = spaces.flatMap(space =>
    redirectSources(space).map(source => addressOf(source, basePathOf(space, spaces))),
  )
  return exportSite(reader.url, out, { ...optionsOf(input), faultOf, redirects }).finally(reader.close)
}
