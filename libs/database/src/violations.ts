import { Failure, type FailureCode } from '@recto/operation'

/** What a violated constraint means to the caller. */
export type ConstraintErrors = Record<string, { code: FailureCode; message: string }>

interface PgError {
  code?: string
  constraint?: string
}

/** Runs a write and turns the violation of a named constraint into the failure it means; other errors pass. */
export async function mapConstraintErrors<T>(meanings: ConstraintErrors, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    const constraint = constraintOf(cause)
    const meaning = constraint !== undefined && Object.hasOwn(meanings, constraint) ? meanings[constraint] : undefined
    throw meaning ? new Failure(meaning.code, meaning.message, { cause }) : cause
  }
}

function constraintOf(error: unknown): string | undefined {
  const { driverError, constraint } = (error ?? {}) as PgError & { driverError?: PgError }
  return (driverError ?? { constraint }).constraint
}
