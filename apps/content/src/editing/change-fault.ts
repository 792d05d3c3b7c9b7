import { fieldFault, type Failure } from '@recto/operation'

/** The failure `invalid_request` for a field of a change that is invalid in itself. */
export function changeFault(at: number, field: string, message: string): Failure {
  return fieldFault(`body.changes.${at}.${field}`, message)
}

/** The failure `conflict` for a field of a change that the content does not allow, or that names something that no longer exists. */
export function changeConflict(at: number, field: string, message: string): Failure {
  return fieldFault(`body.changes.${at}.${field}`, message, 'conflict')
}
