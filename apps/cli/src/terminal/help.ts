import type { Command } from './command.ts'

/** A command of the program itself. */
interface OwnCommand {
  name: string
  usage: string
  summary: string
  explanation: string
}

/** The commands of the program itself. */
export const ownCommands: readonly OwnCommand[] = [
  {
    name: 'completion',
    usage: 'completion bash|zsh|fish',
    summary: 'Print a script that completes commands and options',
    explanation: `The shell has to find recto on its PATH.

  source <(recto completion bash)    in ~/.bashrc; zsh in ~/.zshrc
  recto completion fish > ~/.config/fish/completions/recto.fish
`,
  },
  {
    name: 'help',
    usage: 'help [COMMAND]',
    summary: 'Show the options of a command',
    explanation: 'Without a name, it lists all commands. `recto COMMAND --help` and `-h` are the same.\n',
  },
  { name: 'version', usage: 'version', summary: 'Print the version', explanation: 'It is that of the repository.\n' },
]

/** The help of the program. */
export function helpOf(commands: readonly Command[]): string {
  const lines = commands.map(command => row(usageOf(command), command.summary))
  const own = ownCommands.map(({ usage, summary }) => row(usage, summary))
  return `recto: documentation in a folder\n\n${[...lines, ...own].join('')}\n`
}

/** The help of one command; undefined for a name that no command has. */
export function helpOfCommand(name: string, commands: readonly Command[]): string | undefined {
  const own = ownCommands.find(each => each.name === name)
  if (own) return `recto ${own.usage}\n\n${own.summary}. ${own.explanation}`
  const command = commands.find(each => each.name === name)
  if (!command) return undefined
  const options = Object.entries(command.options).map(([option, { value, choices, summary }]) => {
    const text = choices ? choices.join('|') : value
    return row(`--${option}${text === undefined ? '' : ` ${text}`}`, summary)
  })
  return `recto ${usageOf(command)}\n\n${command.summary}.\n${options.length > 0 ? `\n${options.join('')}` : ''}`
}

function usageOf({ name, operands }: Command): string {
  return [name, ...operands].join(' ')
}

function row(left: string, right: string): string {
  return `  ${left.padEnd(28)} ${right}\n`
}
