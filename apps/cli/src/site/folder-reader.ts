import { openSite, type FolderSiteSource } from './folder-site.ts'
import { startReaderProcess } from './reader-process.ts'
import { startSiteServer } from './site-server.ts'
import { createSiteThreads } from './site-threads.ts'

/** A reader that shows a folder as a site. */
export interface FolderReader {
  url: string
  site: FolderSiteSource
  close(): Promise<void>
}

/** The parts of a reader of a folder; those beside the command unless given. */
export interface FolderReaderParts {
  threads?: ReturnType<typeof createSiteThreads> | undefined
  /** The bundle of the reader. */
  reader?: string | undefined
}

/** Starts a reader of a folder. Throws where the folder cannot be read. */
export async function startFolderReader(folder: string, parts: FolderReaderParts = {}): Promise<FolderReader> {
  const threads = parts.threads ?? createSiteThreads()
  const closing: (() => Promise<void> | void)[] = [() => threads.close()]
  const close = async () => {
    for (const end of closing.splice(0).toReversed()) await end()
  }
  try {
    const site = await openSite(folder, threads)
    const api = await startSiteServer({ site, threads })
    closing.push(api.close)
    const reader = await startReaderProcess(api.url, parts.reader)
    closing.push(reader.stop)
    return { url: reader.url, site, close }
  } catch (error) {
    await close()
    throw error
  }
}
