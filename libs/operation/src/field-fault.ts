import { Failure, type FailureCode, type FaultDetail } from './failure.ts'

/** Makes the failure of an input with faulty fields; its message names the first. Throws a `RangeError` when there is none. */
export function fieldFaults(faults: FaultDetail[], code: FailureCode = 'invalid_request'): Failure {
  const [first] = faults
  if (!first) throw new RangeError('a failure of fields needs at least one fault')
  const rest = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return new Failure(code, `${first.path}: ${first.message}${rest}`, { details: faults })
}

/** Makes the failure of one faulty field: `path` says where it is (`body.title`), the message continues it. */
export function fieldFault(path: string, message: string, code: FailureCode = 'invalid_request'): Failure {
  return fieldFaults([{ path, message }], code)
}
