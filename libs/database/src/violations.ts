import { Failure, type FailureCode } from '@recto/operation'

/** What a violated constraint means to the caller. */
export type ConstraintMeanings = Record<string, { code: FailureCode; message: string }>

interface PgError {
  code?: string
  constraint?: string
}

/** Runs a write and turns the violation of a named constraint into the failure it means; other errors pass. */
export async function withMeanings<T>(meanings: ConstraintMeanings, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    const meaning = meanings[constraintOf(cause) ?? '']
    throw meaning ? new Failure(meaning.code, meaning.message, { cause }) : cause
  }
}

function constraintOf(error: unknown): string | undefined {
  const { driverError } = error as { driverError?: PgError }
  return (driverError ?? (error as PgError)).constraint
}
