import { Failure } from '@recto/operation'

/** The answer for a path of a site at which the caller sees nothing, whether something is there or not. */
export function leadsNowhere(): Failure {
  return new Failure('not_found', 'This path leads nowhere')
}
