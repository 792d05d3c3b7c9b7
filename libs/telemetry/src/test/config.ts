import type { SignalVariables } from '../index.ts'

/** The environment of a process of the tests. */
export const environment: SignalVariables & { OTEL_LOG_LEVEL?: string } = process.env
