import type { Command } from './command.ts'

/** The help of the program. */
export function helpOf(commands: readonly Command[]): string {
  const lines = commands.map(command => row(usageOf(command), command.summary))
  const own = [
    row('completion bash|zsh|fish', 'Print a script that completes commands and options'),
    row('help [COMMAND]', 'Show the options of a command'),
    row('version', 'Print the version'),
  ]
  return `recto: documentation in a folder\n\n${[...lines, ...own].join('')}\n`
}

/** The help of one command. */
export function helpOfCommand(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, choices, summary }]) => {
    const text = choices ? choices.join('|') : value
    return row(`--${name}${text === undefined ? '' : ` ${text}`}`, summary)
  })
  return `recto ${usageOf(command)}\n\n${command.summary}.\n${options.length > 0 ? `\n${options.join('')}` : ''}`
}

function usageOf({ name, operands }: Command): string {
  return [name, ...operands].join(' ')
}

function row(left: string, right: string): string {
  return `  ${left.padEnd(28)} ${right}\n`
}
