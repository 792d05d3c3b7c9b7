import { once } from 'node:events'
import { type CommandInput, textOption, UsageFailure } from '../terminal/command.ts'
import { previewFolder } from './preview-folder.ts'

/** Shows a folder for `recto preview`, on `usualPort` unless an option names another one, until it is interrupted. */
export async function preview(input: CommandInput, usualPort: number): Promise<number> {
  const { operands, terminal } = input
  const port = portOf(textOption(input, 'port') ?? String(usualPort))
  terminal.progress('Starting')
  const onFault = (message: string) => terminal.note(`recto: ${message}`)
  const onRepair = () => terminal.note('The folder can be read again.')
  const running = await previewFolder(operands[0] ?? '.', { port, onFault, onRepair }).catch((error: unknown) => {
    const isBusy = (error as { code?: unknown }).code === 'EADDRINUSE'
    throw isBusy ? new Error(`--port ${port} is in use: name another port, or 0 for a free one`) : error
  })
  terminal.progress('')
  terminal.write(`${running.url}/\n`)
  if (!terminal.signal.aborted) await once(terminal.signal, 'abort')
  await running.close()
  return 0
}

function portOf(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageFailure('--port is a number up to 65535')
  return port
}
