import { parseArgs } from 'node:util'
import { UsageFailure, type Command } from './command.ts'
import { completionScript, shells } from './completion.ts'
import { helpOf, helpOfCommand } from './help.ts'
import { plainMessage } from './plain-message.ts'
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
    if (error instanceof UsageFailure) terminal.note('`recto help` lists commands and options.')
    return 2
  }
}

async function dispatch(program: Program, args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = 'help', ...rest] = args
  const command = program.commands.find(candidate => candidate.name === name)
  if (command) return rest.includes('--help') ? show(terminal, helpOfCommand(command)) : run(command, rest, terminal)
  if (name === 'help' || name === '--help' || name === '-h') {
    const subject = program.commands.find(candidate => candidate.name === rest[0])
    return show(terminal, subject ? helpOfCommand(subject) : helpOf(program.commands))
  }
  if (name === 'version' || name === '--version') return show(terminal, `${program.version}\n`)
  if (name === 'completion') return show(terminal, completionScript(shellOf(rest[0]), program.commands))
  throw new UsageFailure(`There is no command ${name}`)
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

async function run(command: Command, args: readonly string[], terminal: Terminal): Promise<number> {
  const { operands, options } = parse(command, args)
  const required = command.operands.filter(operand => !operand.startsWith('['))
  if (operands.length < required.length)
    throw new UsageFailure(`recto ${command.name} needs ${required.slice(operands.length).join(' and ')}`)
  if (operands.length > command.operands.length)
    throw new UsageFailure(
      `recto ${command.name} takes nothing behind ${operands[command.operands.length - 1] ?? 'its name'}`,
    )
  for (const [name, { choices }] of Object.entries(command.options)) {
    const value = options[name]
    if (choices && typeof value === 'string' && !choices.includes(value))
      throw new UsageFailure(`--${name} is one of ${choices.join(', ')}`)
  }
  return command.run({ operands, options, terminal })
}

function parse(command: Command, args: readonly string[]): Pick<Parameters<Command['run']>[0], 'operands' | 'options'> {
  const options = Object.fromEntries(Object.entries(command.options).map(([name, { type }]) => [name, { type }]))
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    return { operands: positionals, options: values as Record<string, string | boolean | undefined> }
  } catch (error) {
    throw new UsageFailure(error instanceof Error ? error.message : String(error))
  }
}
