import type { Failure } from './failure.ts'
import type { Operations } from './operation.ts'

/** The form of bodies where a standard defines it: the media type of its JSON, and its error body. */
export interface BodyForm {
  mediaType: string
  errorBody(failure: Failure): unknown
}

/** Rows of a protocol that a standard defines, by the service that answers: they stand below a base path of their own, and are no part of the API. */
export interface Protocol extends BodyForm {
  /** The path that the paths of the rows continue, such as `/scim/v2`. */
  base: `/${string}`
  api: Record<string, Operations>
}
