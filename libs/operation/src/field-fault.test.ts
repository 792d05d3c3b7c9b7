import { describe, expect, it } from '@jest/globals'
import { fieldFault, fieldFaults } from './field-fault.ts'

describe('a field fault', () => {
  it('names the field in the message and in the details', () => {
    const failure = fieldFault('body.title', 'must not be blank')
    expect([failure.code, failure.message]).toEqual(['invalid_request', 'body.title: must not be blank'])
    expect(failure.details).toEqual([{ path: 'body.title', message: 'must not be blank' }])
  })

  it('has the given code when a field refers to a missing resource', () =>
    expect(fieldFault('body.parent', 'is no collection of the organization', 'not_found').status).toBe(404))

  it('lists every fault and counts those after the first', () => {
    const faults = ['a', 'b', 'c'].map(name => ({ path: `body.${name}`, message: 'is required' }))
    const failure = fieldFaults(faults)
    expect(failure.message).toBe('body.a: is required (and 2 more)')
    expect(failure.details).toEqual(faults)
  })

  it('needs a fault', () => expect(() => fieldFaults([])).toThrow(RangeError))
})
