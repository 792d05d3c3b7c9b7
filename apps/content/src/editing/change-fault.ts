import { fieldFault, type Failure } from '@recto/operation'

/** The failure of a field of a change that is wrong in itself. */
export function changeFault(at: number, field: string, message: string): Failure {
  return fieldFault(`body.changes.${at}.${field}`, message)
}

/** The failure of a field of a change that the content does not allow, or that names what is not there any more. */
export function changeConflict(at: number, field: string, message: string): Failure {
  return fieldFault(`body.changes.${at}.${field}`, message, 'conflict')
}
