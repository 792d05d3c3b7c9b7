import { Failure } from '@recto/operation'
import { backup, backups, restore, verify, type CommandTools } from './backup-commands.ts'

interface Command {
  /** Its arguments. */
  usage: string
  does: string
  run(args: string[], tools: CommandTools): Promise<void>
}

/** The commands of administration, by name. */
export const adminCommands: Record<string, Command> = {
  backup: {
    usage: '<folder> [--keep <number>] [--without-blobs] [--without-secrets]',
    does: 'copies all databases, as of one instant, and all blobs while the installation runs',
    run: backup,
  },
  restore: {
    usage: '<folder> [<backup>] [--without-blobs]',
    does: 'restores a backup, the newest unless named, into a new installation that does not run',
    run: restore,
  },
  verify: {
    usage: '<folder> [<backup>]',
    does: 'reads all of a backup and checks that it is what was written',
    run: verify,
  },
  backups: { usage: '<folder>', does: 'lists the backups of a folder, the newest first', run: backups },
}

/** Runs a command of administration; `help` and unknown ones list all. */
export async function runAdminCommand([name = 'help', ...args]: string[], tools: CommandTools): Promise<void> {
  const command = Object.hasOwn(adminCommands, name) ? adminCommands[name] : undefined
  if (command) return command.run(args, tools)
  if (name !== 'help') throw new Failure('invalid_request', `There is no command ${name}.\n\n${helpText()}`)
  tools.print(helpText())
}

function helpText(): string {
  const lines = Object.entries(adminCommands).flatMap(([name, { usage, does }]) => [
    `  ${name} ${usage}`.trimEnd(),
    `      ${does}`,
  ])
  return ['npm run recto -- <command>', '', ...lines].join('\n')
}
