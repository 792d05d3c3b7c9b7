import { parseArgs } from 'node:util'
import { UsageFailure, type Command, type CommandInput } from './command.ts'

/** The operands and options of a command. */
export type CommandArguments = Pick<CommandInput, 'operands' | 'options'>

type OptionToken = Extract<NonNullable<ReturnType<typeof parseArgs>['tokens']>[number], { kind: 'option' }>

/** Reads the arguments behind the name of a command. Throws `UsageFailure` for those that it does not take. */
export function readArguments(command: Command, args: readonly string[]): CommandArguments {
  const types = Object.fromEntries(Object.entries(command.options).map(([name, { type }]) => [name, { type }]))
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: types,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const options: CommandArguments['options'] = {}
  for (const token of tokens) if (token.kind === 'option') options[token.name] = valueOf(token, command)
  checkOperands(command, positionals)
  return { operands: positionals, options }
}

function valueOf({ name, rawName, value, inlineValue }: OptionToken, command: Command): string | boolean {
  const option = rawName.startsWith('--') && Object.hasOwn(command.options, name) ? command.options[name] : undefined
  if (!option) throw new UsageFailure(`recto ${command.name} has no option ${rawName}`)
  if (option.type === 'boolean') {
    if (value !== undefined) throw new UsageFailure(`${rawName} takes no value`)
    return true
  }
  // A number below zero is a value that the command refuses by itself.
  const isNextOption = inlineValue === false && /^-(?!\d)/.test(value ?? '')
  if (value === undefined || isNextOption) throw new UsageFailure(`${rawName} needs a value: ${wordOf(option)}`)
  if (option.choices && !option.choices.includes(value))
    throw new UsageFailure(`${rawName} is one of ${option.choices.join(', ')}`)
  return value
}

function wordOf({ choices, value = 'VALUE' }: Command['options'][string]): string {
  return choices ? choices.join('|') : value
}

function checkOperands({ name, operands }: Command, values: readonly string[]): void {
  const required = operands.filter(operand => !operand.startsWith('['))
  if (values.length < required.length)
    throw new UsageFailure(`recto ${name} needs ${required.slice(values.length).join(' and ')}`)
  if (values.length > operands.length)
    throw new UsageFailure(`recto ${name} takes nothing behind ${values[operands.length - 1] ?? 'its name'}`)
}
