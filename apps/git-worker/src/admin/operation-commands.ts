import { Failure } from '@recto/operation'
import { tableLine, type AdminCommand, type CommandContext } from '@recto/service'
import * as operations from '../operations/git-operations.repository.ts'
import { endOperation } from '../queue/queue.ts'

/** `operations` lists git operations that have not ended; `operations end <id>…` fails them, so that the next ones go on. */
export const gitOperations: AdminCommand = async ([action, ...ids], context) => {
  if (action === 'end') return end(ids, context)
  if (action !== undefined)
    throw new Failure('invalid_request', `operations must have no argument, or be followed by end.`)
  const { db, print } = context
  print(tableLine('id', 'space', 'direction', 'state', 'stage', 'attempts', 'since', 'last heartbeat'))
  for (const row of await operations.listOpen(db)) {
    const times = [row.createdAt, row.heartbeatAt].map(time => time?.toISOString() ?? '-')
    print(tableLine(row.id, row.spaceId, row.direction, row.state, row.stage ?? '-', row.attempts, ...times))
  }
}

/** Ends operations. A worker learns it with its next heartbeat, and its result is refused. */
async function end(ids: string[], { transaction, print }: CommandContext): Promise<void> {
  for (const id of ids) {
    const state = await transaction(async tx => {
      const operation = await operations.lock(tx, id)
      if (operation?.state !== 'running' && operation?.state !== 'queued') return operation?.state ?? 'not found'
      const error = { code: 'gave_up' as const, message: 'An operator ended the operation' }
      await endOperation(tx, operation, { state: 'failure', error, byOperator: true })
      return 'ended'
    })
    print(tableLine(id, state))
  }
}
