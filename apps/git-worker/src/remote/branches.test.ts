import { describe, expect, it } from '@jest/globals'
import { tipOf } from './branches.ts'

describe('the tip of a branch', () => {
  const refs = ['main', 'dev'].map(name => ({ ref: `refs/heads/${name}`, oid: 'a'.repeat(40) }))
  it('is found by its full name', () => expect(tipOf(refs, 'refs/heads/dev')).toBe('a'.repeat(40)))
  it.each([
    [refs, 'no branch "release"; it has "main", "dev"'],
    [[{ ref: 'refs/tags/v1', oid: 'a'.repeat(40) }], 'no branch "release"; it has no branches at all'],
    [Array.from({ length: 12 }, (_, at) => ({ ref: `refs/heads/b${at}`, oid: '' })), '"b9" and 2 more'],
  ])('lists the existing branches when it is missing', (remote, message) =>
    expect(() => tipOf(remote, 'refs/heads/release')).toThrow(
      expect.objectContaining({ code: 'branch_not_found', message: expect.stringContaining(message) }),
    ),
  )
})
