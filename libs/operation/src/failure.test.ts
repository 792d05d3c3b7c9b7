import { describe, expect, it } from '@jest/globals'
import { errorBody, Failure, isFailureCode, toFailure, type FailureCode } from './failure.ts'

describe('a failure', () => {
  it.each<[FailureCode, number]>([
    ['invalid_request', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['method_not_allowed', 405],
    ['conflict', 409],
    ['precondition_failed', 412],
    ['too_large', 413],
    ['unsupported_media_type', 415],
    ['rate_limited', 429],
    ['internal', 500],
    ['unavailable', 503],
    ['timeout', 504],
  ])('%s is the status %i', (code, status) => expect(new Failure(code, 'no').status).toBe(status))

  it('is reported with its status, its message and its details', () => {
    const details = [{ path: 'body.title', message: 'is too long' }]
    expect(errorBody(new Failure('invalid_request', 'no', { details, cause: new Error('secret') }))).toEqual({
      error: { code: 400, message: 'no', details },
    })
    expect(errorBody(new Failure('not_found', 'nothing'))).toEqual({ error: { code: 404, message: 'nothing' } })
  })

  it('is returned unchanged', () => {
    const failure = new Failure('conflict', 'no')
    expect(toFailure(failure)).toBe(failure)
  })

  it.each([new Error('the password is hunter2'), 'hunter2', null, undefined, { code: 'conflict', message: 'hunter2' }])(
    'that was not thrown on purpose hides %s and keeps it as cause',
    thrown => {
      const failure = toFailure(thrown)
      expect(failure.code).toBe('internal')
      expect(JSON.stringify(errorBody(failure))).not.toContain('hunter2')
      expect(failure.cause).toBe(thrown)
    },
  )

  it.each([
    ['conflict', true],
    ['teapot', false],
    ['toString', false],
    ['__proto__', false],
    ['', false],
  ])('has the code %j: %s', (code, isKnown) => {
    expect(isFailureCode(code)).toBe(isKnown)
  })
})
