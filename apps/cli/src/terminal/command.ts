import type { Terminal } from './terminal.ts'

/** An option of a command. */
export interface CommandOption {
  type: 'string' | 'boolean'
  /** The name of its value in the help. */
  value?: string
  /** The values that it can have. */
  choices?: readonly string[]
  summary: string
}

/** The arguments behind the name of a command. */
export interface CommandInput {
  operands: string[]
  options: Record<string, string | boolean | undefined>
  terminal: Terminal
}

/** A command: its help, its completion and its page in the manual are made of this. */
export interface Command {
  name: string
  /** Names of what has to follow; one in brackets may be left out. */
  operands: readonly string[]
  summary: string
  options: Record<string, CommandOption>
  /** Resolves to the exit code: 0 for success, 1 for findings or differences, 2 for what cannot be done. */
  run(input: CommandInput): Promise<number>
}

/** The arguments cannot be followed; the message is for the caller. */
export class UsageFailure extends Error {
  override readonly name = 'UsageFailure'
}

/** Whether an error is a `UsageFailure`, also one of another bundle, which has a class of its own. */
export function isUsageFailure(error: unknown): boolean {
  return error instanceof Error && error.name === 'UsageFailure'
}

/** The text of an option; undefined where it is left out. */
export function textOption({ options }: Pick<CommandInput, 'options'>, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}
