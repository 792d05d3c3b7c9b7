import { Failure } from '@recto/operation'
import { DataSource, QueryRunnerAlreadyReleasedError, type QueryRunner } from 'typeorm'

/** `Retry-After` of the failure, in seconds. */
const retryAfter = 1
const queryCanceled = '57014'

/** SQLSTATE: class 08 is of connections; the server shuts down (57P01, 57P02, 57P05), starts (57P03) or has no connection left (53300). */
const connectionErrorStates = /^(?:08...|57P0[1235]|53300)$/
const connectionErrorCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Messages of pg, its pool and TypeORM for connection errors that have no code. */
const connectionErrorMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (?:was closed|has encountered a connection error)|Cannot use a pool after calling end|Driver not Connected)/

/**
 * Maps a database error to a failure: `unavailable` for connection errors, `timeout` for a statement that the server cancelled;
 * any other error is returned unchanged.
 */
export function failureOfDatabase(error: unknown): unknown {
  const { code, message } = reasonOf(error)
  if (code === queryCanceled) return new Failure('timeout', 'The database took too long', { cause: error })
  const isConnectionError =
    connectionErrorStates.test(code) ||
    connectionErrorCodes.has(code) ||
    (code === '' && connectionErrorMessages.test(message))
  return isConnectionError ? unavailable(error) : error
}

/** TypeORM wraps the error of the driver. */
function reasonOf(error: unknown): { code: string; message: string } {
  const { driverError = error } = (error ?? {}) as { driverError?: unknown }
  const { code, message } = (driverError ?? {}) as { code?: unknown; message?: unknown }
  return { code: typeof code === 'string' ? code : '', message: String(message) }
}

/** Creates the failure for a database that cannot be reached. */
export function unavailable(cause: unknown): Failure {
  return new Failure('unavailable', 'The database is not available', { cause, retryAfter })
}

/** A data source whose statements fail with `failureOfDatabase`: those of repositories, of query builders, and of transactions. */
export class FailureMappingDataSource extends DataSource {
  override createQueryRunner(...options: Parameters<DataSource['createQueryRunner']>): QueryRunner {
    return mapQueryErrors(super.createQueryRunner(...options))
  }
}

/** Has driver errors of a query runner become failures. TypeORM sends every statement through `query`, also those that begin and end a transaction. */
function mapQueryErrors(runner: QueryRunner): QueryRunner {
  let isDone = false
  const query = runner.query.bind(runner) as (...statement: unknown[]) => Promise<unknown>
  const release = runner.release.bind(runner)
  return Object.assign(runner, {
    query: (...statement: unknown[]) =>
      query(...statement).catch((error: unknown) => {
        // After a connection is lost between two statements, the runner reports only that it has none.
        const isLost = error instanceof QueryRunnerAlreadyReleasedError && !isDone
        throw isLost ? unavailable(error) : failureOfDatabase(error)
      }),
    release: () => {
      isDone = true
      return release()
    },
  })
}
