import { plainLine } from '@recto/text'
import { openAccount } from '../account/open-account.ts'
import { textOption, type CommandInput } from '../terminal/command.ts'
import { pullFolder } from './pull-folder.ts'

/** Writes what changed in a space into a folder for `recto pull`. */
export async function pull(input: CommandInput): Promise<number> {
  const { operands, options, terminal } = input
  const [space = '', folder = ''] = operands
  const result = await pullFolder({
    address: { connection: await openAccount(terminal.signal), space, signal: terminal.signal },
    folder,
    changeRequest: textOption(input, 'change-request'),
    force: options['force'] === true,
    onProgress: text => terminal.progress(text),
  })
  terminal.progress('')
  const { conflicts, written, deleted, replaced, warnings } = result
  for (const { path, message } of warnings) terminal.note(plainLine(`${path}: ${message}`))
  if (options['json'] === true) terminal.write(`${JSON.stringify(result)}\n`)
  else for (const line of linesOf({ conflicts, written, deleted })) terminal.write(`${plainLine(line)}\n`)
  if (conflicts.length > 0)
    terminal.note(
      'Nothing was written: the folder and the space changed these files. --force takes those of the space, and copies yours to .recto/replaced.',
    )
  if (replaced !== undefined) terminal.note(plainLine(`Your versions of replaced files are in ${folder}/${replaced}`))
  return conflicts.length > 0 ? 1 : 0
}

function linesOf({ conflicts, written, deleted }: Record<'conflicts' | 'written' | 'deleted', string[]>): string[] {
  const lines = [
    ...conflicts.map(path => `conflict ${path}`),
    ...written.map(path => `written  ${path}`),
    ...deleted.map(path => `deleted  ${path}`),
  ]
  return lines.length > 0 ? lines : ['Nothing has changed']
}
