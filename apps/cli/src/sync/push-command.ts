import { plainLine } from '@recto/text'
import { openAccount } from '../account/open-account.ts'
import { type CommandInput, textOption, UsageFailure } from '../terminal/command.ts'
import { pullFolder } from './pull-folder.ts'
import { PushFailure, pushFolder, type PushResult } from './push-folder.ts'
import type { FileCounts, PushTarget } from './push.rules.ts'

/** Writes a folder into its space for `recto push`. */
export async function push(input: CommandInput): Promise<number> {
  const { operands, options, terminal } = input
  const [folder = '.'] = operands
  try {
    const result = await pushFolder({
      folder,
      space: textOption(input, 'space'),
      connect: folderUrl => openAccount(terminal.signal, folderUrl),
      changeRequest: targetOf(input),
      message: textOption(input, 'message'),
      force: options['force'] === true,
      signal: terminal.signal,
      onProgress: text => terminal.progress(text),
    })
    // A pull learns the paths of new pages, and writes what the space says in another way.
    if (isSent(result.files))
      await pullFolder({
        address: result.address,
        folder,
        changeRequest: result.changeRequest?.id,
        force: false,
        onProgress: text => terminal.progress(text),
      })
    terminal.progress('')
    report(result, input)
    return 0
  } catch (error) {
    terminal.progress('')
    if (!(error instanceof PushFailure)) throw error
    const hint = error.isBehind ? '. Pull first, or use --force to undo what changed in the space' : ''
    terminal.note(plainLine(`Nothing was pushed: ${error.message}${hint}`))
    return 1
  }
}

function targetOf(input: CommandInput): PushTarget | undefined {
  const id = textOption(input, 'change-request')
  const subject = textOption(input, 'subject')
  if (id !== undefined && subject !== undefined)
    throw new UsageFailure('--change-request and --subject exclude each other')
  if (subject?.trim() === '') throw new UsageFailure('--subject is empty')
  if (id !== undefined) return { id }
  return subject === undefined ? undefined : { subject }
}

function isSent({ added, changed, removed }: FileCounts): boolean {
  return added + changed + removed > 0
}

function report({ address: _address, ...result }: PushResult, { options, terminal }: CommandInput): void {
  const { revision, changeRequest, files, warnings } = result
  for (const { path, message } of warnings) terminal.note(plainLine(`${path}: ${message}`))
  if (options['json'] === true) return terminal.write(`${JSON.stringify(result)}\n`)
  if (!isSent(files)) return terminal.write('Nothing has changed\n')
  const target = changeRequest ? `change request ${changeRequest.number} (${changeRequest.status})` : 'the space'
  const { added, changed, removed } = files
  terminal.write(`Pushed to ${target}: ${added} added, ${changed} changed, ${removed} removed; revision ${revision}\n`)
  if (changeRequest) terminal.write(`${plainLine(changeRequest.url)}\n`)
}
