import { openApiSpecCalls } from './calls.ts'

export * from './calls.ts'
export * from './events.ts'

/** Calls that openapi-specs answers. */
export const openApiSpecsRpc = {
  ...openApiSpecCalls,
}
