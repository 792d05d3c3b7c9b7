import { isUsageFailure, UsageFailure, type Command } from './command.ts'
import { completionScript, shells } from './completion.ts'
import { helpOf, helpOfCommand } from './help.ts'
import { plainMessage } from './plain-message.ts'
import { readArguments } from './read-arguments.ts'
import type { Terminal } from './terminal.ts'

/** The program and its commands. */
export interface Program {
  version: string
  commands: readonly Command[]
}

/** Runs the command that the arguments name, and resolves to its exit code. Failures are one line for the caller. */
export async function runCommand(program: Program, args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(program, args, terminal)
  } catch (error) {
    if (terminal.signal.aborted) return 130
    terminal.note(`recto: ${plainMessage(error)}`)
    if (isUsageFailure(error)) terminal.note('`recto help` lists commands and options.')
    return 2
  }
}

async function dispatch(program: Program, args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = 'help', ...rest] = args
  const { commands } = program
  const isHelp = name === 'help' || name === '--help' || name === '-h'
  if (isHelp) return show(terminal, rest[0] === undefined ? helpOf(commands) : helpAbout(rest[0], commands))
  if (rest.includes('--help') || rest.includes('-h')) return show(terminal, helpAbout(name, commands))
  const command = commands.find(candidate => candidate.name === name)
  if (command) return command.run({ ...readArguments(command, rest), terminal })
  if (name === 'version' || name === '--version') return show(terminal, `${program.version}\n`)
  if (name === 'completion') return show(terminal, completionScript(shellOf(rest[0]), commands))
  throw noCommand(name)
}

function helpAbout(name: string, commands: readonly Command[]): string {
  const help = helpOfCommand(name, commands)
  if (help === undefined) throw noCommand(name)
  return help
}

function noCommand(name: string): UsageFailure {
  return new UsageFailure(`There is no command ${name}`)
}

function show(terminal: Terminal, text: string): number {
  terminal.write(text)
  return 0
}

function shellOf(name: string | undefined): (typeof shells)[number] {
  const shell = shells.find(candidate => candidate === name)
  if (!shell) throw new UsageFailure(`recto completion needs one of ${shells.join(', ')}`)
  return shell
}
