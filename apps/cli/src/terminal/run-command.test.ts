import { execFileSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import { program } from '../program.ts'
import type { Command } from './command.ts'
import { completionScript } from './completion.ts'
import { runCommand } from './run-command.ts'
import { createTerminal } from './terminal.ts'

const echo: Command = {
  name: 'echo',
  operands: ['TEXT'],
  summary: 'Write a text',
  options: {
    format: { type: 'string', choices: ['a', 'b'], summary: 'How' },
    json: { type: 'boolean', summary: 'As JSON' },
  },
  run: async ({ operands, options, terminal }) => {
    terminal.progress('working')
    terminal.write(`${operands[0]} ${JSON.stringify(options)}\n`)
    return 1
  },
}
const broken: Command = {
  ...echo,
  name: 'broken',
  operands: [],
  run: () => Promise.reject(new Error('it is broken')),
}

async function run(args: string[], isTTY = false) {
  let output = ''
  let notes = ''
  const out = { write: (text: string) => (output += text) }
  const terminal = createTerminal(out, { isTTY, write: text => (notes += text) }, new AbortController().signal)
  const code = await runCommand({ version: '1.2.3', commands: [echo, broken] }, args, terminal)
  return { code, output, notes }
}

describe('the arguments of the program', () => {
  it.each<[title: string, args: string[], code: number, output: string]>([
    [
      'a command runs with its operands and options',
      ['echo', 'x', '--format', 'a', '--json'],
      1,
      'x {"format":"a","json":true}\n',
    ],
    ['the version', ['--version'], 0, '1.2.3\n'],
    ['no command', [], 0, 'Write a text'],
    ['help of a command', ['echo', '--help'], 0, '--format a|b'],
    ['short help of a command', ['echo', '-h'], 0, '--format a|b'],
    ['help of the completion', ['help', 'completion'], 0, 'source <(recto completion bash)'],
    ['help of a command of its own', ['version', '--help'], 0, 'recto version'],
    ['help of no command', ['help', 'nothing'], 2, 'There is no command nothing'],
    ['help of help', ['help', 'help'], 0, 'recto help [COMMAND]'],
    ['help names a command', ['help', 'echo'], 0, '--format a|b'],
    ['an unknown command', ['nothing'], 2, 'There is no command nothing'],
    ['an unknown option', ['echo', 'x', '--no'], 2, 'recto echo has no option --no'],
    ['a short option', ['echo', '-x'], 2, 'recto echo has no option -x'],
    ['a name of every object', ['echo', '--toString'], 2, 'recto echo has no option --toString'],
    ['a value that is missing', ['echo', 'x', '--format'], 2, '--format needs a value: a|b'],
    ['an option in the place of a value', ['echo', 'x', '--format', '--json'], 2, '--format needs a value: a|b'],
    ['a value below zero', ['echo', 'x', '--format', '-1'], 2, '--format is one of a, b'],
    ['a value of an option without one', ['echo', 'x', '--json=1'], 2, '--json takes no value'],
    ['an operand that is missing', ['echo'], 2, 'needs TEXT'],
    ['an operand too many', ['echo', 'x', 'y'], 2, 'takes nothing behind'],
    ['a value that is none of the choices', ['echo', 'x', '--format', 'c'], 2, '--format is one of a, b'],
    ['a command that fails', ['broken'], 2, 'recto: it is broken'],
    ['a completion of no shell', ['completion', 'none'], 2, 'one of bash, zsh, fish'],
  ])('%s', async (_title, args, code, text) => {
    const result = await run(args)
    expect(result.code).toBe(code)
    expect(code === 2 ? result.notes : result.output).toContain(text)
  })

  it('Progress is shown on a terminal alone', async () => {
    expect((await run(['echo', 'x'])).notes).toBe('')
    expect((await run(['echo', 'x'], true)).notes).toContain('working')
  })
})

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'] as const)('of %s has every command and option', shell => {
    const script = completionScript(shell, program.commands)
    for (const { name, options } of program.commands)
      for (const word of [name, ...Object.keys(options)]) expect(script).toContain(word)
  })

  it('A shell completes commands, options and values', () => {
    const complete = (...words: string[]) => {
      const script = `${completionScript('bash', program.commands)}
COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _recto; printf '%s\\n' "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
    }
    expect(complete('recto', 'ch')).toEqual(['check'])
    expect(complete('recto', 'check', '--fo')).toEqual(['--format'])
    expect(complete('recto', 'check', '--format', 's')).toEqual(['sarif'])
  })
})
