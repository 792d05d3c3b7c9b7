import { once } from 'node:events'
import { type Command, textOption, UsageFailure } from '../terminal/command.ts'
import { previewFolder } from './preview-folder.ts'

const usualPort = 4000

/** `recto preview`. */
export const previewCommand: Command = {
  name: 'preview',
  operands: ['DIR'],
  summary: 'Show a folder in a browser as readers will see it, and follow its changes',
  options: {
    port: {
      type: 'string',
      value: 'PORT',
      summary: `Port of this machine; ${usualPort} unless given, 0 for a free one`,
    },
  },
  async run(input) {
    const { operands, terminal } = input
    const port = portOf(textOption(input, 'port'))
    terminal.progress('Starting')
    const onFault = (message: string) => terminal.note(`recto: ${message}`)
    const onRepair = () => terminal.note('The folder can be read again.')
    const preview = await previewFolder(operands[0] ?? '.', { port, onFault, onRepair }).catch((error: unknown) => {
      const isBusy = (error as { code?: unknown }).code === 'EADDRINUSE'
      throw isBusy ? new Error(`--port ${port} is in use: name another port, or 0 for a free one`) : error
    })
    terminal.progress('')
    terminal.write(`${preview.url}/\n`)
    if (!terminal.signal.aborted) await once(terminal.signal, 'abort')
    await preview.close()
    return 0
  },
}

function portOf(text: string | undefined): number {
  const port = text === undefined ? usualPort : Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageFailure('--port is a number up to 65535')
  return port
}
