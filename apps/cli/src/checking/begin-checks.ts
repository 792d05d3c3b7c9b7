import type { FileSource } from '@recto/repository-content'
import { firstPages } from './first-pages.rules.ts'
import { parallelism, type PageChecks } from './page-checks.ts'

/**
 * Lets threads check the first pages of a folder while the code that reads its structure is loaded, which takes longer than listing the files.
 * A page that turns out to be none has cost time of an idle thread.
 */
export async function beginChecks({ files, read }: FileSource, checks: PageChecks): Promise<void> {
  for (const batch of firstPages(files, parallelism)) {
    const texts: string[] = []
    for (const { path } of batch) texts.push(Buffer.from(await read(path)).toString())
    checks.begin(texts)
  }
}
