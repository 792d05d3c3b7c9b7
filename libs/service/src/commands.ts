import { openDatabase, listWaiting, redeliver, transact, type DatabaseOptions, type Db } from '@recto/database'
import type { RunTransaction } from './requests.ts'

/** The context of a command of administration. It has no bus: the running service publishes its events from the outbox. */
export interface CommandContext {
  db: Db
  transaction: RunTransaction
  /** Writes a line to the standard output. */
  print(line: string): void
}

/** A command of administration with its arguments; it throws a `Failure` to end with an error. */
export type AdminCommand = (args: string[], context: CommandContext) => Promise<void>

const print = (line: string) => void process.stdout.write(`${line}\n`)

/**
 * Commands of a process with a database, for `runProcess`: each opens the database for itself. Adds `messages`, which lists the messages
 * of the outbox that are not acknowledged, and with the argument `redeliver` and ids (all unless given) publishes them again.
 */
export function databaseCommands(
  database: DatabaseOptions,
  commands: Record<string, AdminCommand> = {},
): Record<string, (args: string[]) => Promise<void>> {
  const all = Object.entries({ messages, ...commands })
  return Object.fromEntries(all.map(([name, command]) => [name, args => runCommand(database, command, args)]))
}

async function runCommand(options: DatabaseOptions, command: AdminCommand, args: string[]): Promise<void> {
  const database = await openDatabase({ ...options, poolSize: 2, statementTimeout: 0 })
  const db = database.manager
  const transaction: RunTransaction = work => transact(db, () => undefined, work)
  try {
    await command(args, { db, transaction, print })
  } finally {
    await database.destroy()
  }
}

const messages: AdminCommand = async ([action, ...ids], { db, print }) => {
  if (action === 'redeliver') return print(`${await redeliver(db, ids)} messages are published again.`)
  print(tableLine('id', 'subject', 'since', 'dispatches', 'not acknowledged by'))
  for (const { id, subject, createdAt, dispatches, waitsFor } of await listWaiting(db))
    print(tableLine(id, subject, createdAt.toISOString(), dispatches, waitsFor.join(' ')))
}

/** A line of a table: its columns are separated by tabs, so that other programs can read them. */
export function tableLine(...columns: (string | number)[]): string {
  return columns.join('\t')
}
