import { Failure, type FailureCode } from '@recto/operation'

/** Failures by the name of the constraint whose violation they report. */
export type ConstraintErrors = Record<string, { code: FailureCode; message: string }>

interface PgError {
  code?: string
  constraint?: string
}

/** Runs a write and maps the violation of a named constraint to its failure; other errors are rethrown. */
export async function mapConstraintErrors<T>(errors: ConstraintErrors, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    const constraint = constraintOf(cause)
    const error = constraint !== undefined && Object.hasOwn(errors, constraint) ? errors[constraint] : undefined
    throw error ? new Failure(error.code, error.message, { cause }) : cause
  }
}

function constraintOf(error: unknown): string | undefined {
  const { driverError, constraint } = (error ?? {}) as PgError & { driverError?: PgError }
  return (driverError ?? { constraint }).constraint
}
