import type { Command } from './command.ts'
import { ownCommands } from './help.ts'

/** The shells that a completion can be written for. */
export const shells = ['bash', 'zsh', 'fish'] as const

/** A script for a shell that completes commands, options and files. */
export function completionScript(shell: (typeof shells)[number], commands: readonly Command[]): string {
  if (shell === 'fish') return fishScript(commands)
  const bash = bashScript(commands)
  return shell === 'bash' ? bash : `#compdef recto\nautoload -U +X bashcompinit && bashcompinit\n${bash}`
}

function bashScript(commands: readonly Command[]): string {
  const names = [...commands.map(({ name }) => name), ...ownCommands.map(({ name }) => name)].join(' ')
  const options = commands.map(command => `    ${command.name}) words="${optionsOf(command).join(' ')}" ;;\n`)
  const choices = choicesOf(commands).map(({ option, values }) => `    --${option}) words="${values.join(' ')}" ;;\n`)
  return `_recto() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${choices.join('')}    completion) words="${shells.join(' ')}" ;;
  esac
  if [ -z "$words" ] && [ "\${current:0:1}" = "-" ]; then
    case "\${COMP_WORDS[1]}" in
${options.join('')}    esac
  fi
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _recto recto
`
}

function fishScript(commands: readonly Command[]): string {
  const first = 'complete -c recto -n __fish_use_subcommand -f'
  const own = ownCommands.map(({ name, summary }) => `${first} -a ${name} -d '${summary}'\n`)
  const summaries = commands.map(({ name, summary }) => `${first} -a ${name} -d '${summary}'\n`)
  const options = commands.flatMap(command =>
    Object.entries(command.options).map(([option, { type, choices, summary }]) => {
      const values = choices ? ` -x -a '${choices.join(' ')}'` : type === 'string' ? ' -r' : ''
      return `complete -c recto -n '__fish_seen_subcommand_from ${command.name}' -l ${option}${values} -d '${summary}'\n`
    }),
  )
  return [...summaries, ...own, ...options].join('')
}

function optionsOf({ options }: Command): string[] {
  return [...Object.keys(options), 'help'].map(name => `--${name}`)
}

function choicesOf(commands: readonly Command[]): { option: string; values: readonly string[] }[] {
  const all = commands.flatMap(({ options }) => Object.entries(options))
  const byName = new Map(all.flatMap(([option, { choices }]) => (choices ? [[option, choices] as const] : [])))
  return [...byName].map(([option, values]) => ({ option, values }))
}
