import { watchFolder } from '../folders/watch-folder.ts'
import { type FolderReaderParts, startFolderReader } from '../site/folder-reader.ts'
import { plainMessage } from '../terminal/plain-message.ts'
import { startPreviewServer } from './preview-server.ts'

/** A folder as a site at an address of this machine. */
export interface Preview {
  url: string
  close(): Promise<void>
}

/** How a folder is previewed. */
export interface PreviewOptions extends FolderReaderParts {
  port: number
  /** Gets why the folder cannot be read. */
  onFault(message: string): void
  /** Is called when the folder can be read again. */
  onRepair(): void
  /** The script of pages; that beside the command unless given. */
  script?: Buffer | undefined
}

/** Shows a folder, and follows its changes. Throws where the folder cannot be read at first; later the pages say so. */
export async function previewFolder(folder: string, options: PreviewOptions): Promise<Preview> {
  const { port, script, onFault, onRepair } = options
  let isFaulty = false
  const reader = await startFolderReader(folder, options)
  const server = await startPreviewServer(reader.url, { port, ...(script && { script }) }).catch(
    async (error: unknown) => {
      await reader.close()
      throw error
    },
  )
  const watcher = watchFolder(folder, async () => {
    try {
      await reader.site.reload()
      if (isFaulty) onRepair()
      isFaulty = false
      server.send({ type: 'change' })
    } catch (error) {
      const message = plainMessage(error)
      isFaulty = true
      onFault(message)
      server.send({ type: 'fault', message })
    }
  })
  return {
    url: server.url,
    async close() {
      watcher.close()
      await server.close()
      await reader.close()
    },
  }
}
