import { Failure } from '@recto/operation'
import { backup, backups, restore, verify } from './backup-commands.ts'
import { type CommandTools, withInstallation } from './installation.ts'
import { rotate } from './rotate-command.ts'
import { runServiceCommand } from './service-command.ts'

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
  check: {
    usage: '[--mend]',
    does: 'compares what revisions name with what is stored, and counts with what they count; mends what can be mended',
    run: inService('content', 'check'),
  },
  reindex: {
    usage: '[<space>...]',
    does: 'builds search and links of spaces anew, of all unless given',
    run: inService('content', 'reindex'),
  },
  purge: {
    usage: '<space>...',
    does: 'purges deleted spaces before the week is over in which they could be restored',
    run: inService('content', 'purge'),
  },
  operations: {
    usage: '[end <operation>...]',
    does: 'lists git operations that have not ended, or fails some, so that those behind them go on',
    run: inService('git-worker', 'operations'),
  },
  'verify-audit': {
    usage: '[<organization>...]',
    does: 'checks that nobody has changed the audit log of organizations outside of Recto, of all unless given',
    run: inService('events', 'verify-audit'),
  },
  deliveries: {
    usage: '',
    does: 'lists the webhooks with events that wait to be sent',
    run: inService('events', 'deliveries'),
  },
  messages: {
    usage: '[redeliver [<message>...]]',
    does: 'lists messages that were not acknowledged, or publishes them again, all unless given',
    run: inEachService('messages'),
  },
  rotate: {
    usage: 'signing-secret|encryption-key [--finish]',
    does: 'gives the installation a new secret and accepts the one before, until it is finished',
    run: rotate,
  },
  seed: {
    usage: '[--members <number>] [--teams <number>] [--title <title>]',
    does: 'creates a large organization, of 20,000 members and 500 teams unless given, and prints its id',
    run: inService('identity', 'seed'),
  },
  users: {
    usage: '[<text>]',
    does: 'lists users whose name or email contains a text',
    run: inService('identity', 'users'),
  },
  tokens: { usage: '<email or user>', does: 'lists the tokens of a user', run: inService('identity', 'tokens') },
  issue: {
    usage: '<email or user> [<name>]',
    does: 'issues a token for a user, such as an administrator whose token is lost, and prints it once',
    run: inService('identity', 'issue'),
  },
  programs: {
    usage: '',
    does: 'lists programs that may ask for access by OAuth',
    run: inService('identity', 'programs'),
  },
  program: {
    usage: '<name> <redirect URI>...',
    does: 'registers a program that everybody may allow by OAuth, and prints its id',
    run: inService('identity', 'program'),
  },
  'forget-program': {
    usage: '<program>...',
    does: 'deletes programs, and ends what they were allowed',
    run: inService('identity', 'forget-program'),
  },
  revoke: { usage: '<token>...', does: 'revokes tokens of any user', run: inService('identity', 'revoke') },
}

type Run = Command['run']

/** A command that a service has under this name. */
function inService(service: string, name: string): Run {
  return (args, tools) =>
    withInstallation(tools, installation =>
      runServiceCommand({ service, args: [name, ...args] }, { ...tools, installation }),
    )
}

/** A command that every service with a database has. */
function inEachService(name: string): Run {
  return (args, tools) =>
    withInstallation(tools, async installation => {
      for (const { name: service } of installation.databases) {
        tools.print(`${service}:`)
        await runServiceCommand({ service, args: [name, ...args] }, { ...tools, installation })
      }
    })
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
