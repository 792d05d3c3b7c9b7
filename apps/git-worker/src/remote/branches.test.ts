import { describe, expect, it } from '@jest/globals'
import { tipOf } from './branches.ts'

describe('Tips of branches', () => {
  const refs = ['main', 'dev'].map(name => ({ ref: `refs/heads/${name}`, oid: 'a'.repeat(40) }))
  it('The tip of a branch is found by its full name', () => expect(tipOf(refs, 'refs/heads/dev')).toBe('a'.repeat(40)))
  it.each([
    [refs, 'no branch "release"; it has "main", "dev"'],
    [[{ ref: 'refs/tags/v1', oid: 'a'.repeat(40) }], 'no branch "release"; it has no branches at all'],
    [Array.from({ length: 12 }, (_, at) => ({ ref: `refs/heads/b${at}`, oid: '' })), '"b9" and 2 more'],
  ])('The error of a missing branch lists the existing branches', (remote, message) =>
    expect(() => tipOf(remote, 'refs/heads/release')).toThrow(
      expect.objectContaining({ code: 'branch_not_found', message: expect.stringContaining(message) }),
    ),
  )
})
