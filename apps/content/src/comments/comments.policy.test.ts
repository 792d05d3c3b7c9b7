import { roles, type Role } from '@recto/actor'
import { describe, expect, it } from '@jest/globals'
import { commentPermissions, mayResolve } from './comments.policy.ts'

const allowed = (can: (role: Role) => boolean) => roles.filter(can)
const from = (lowest: Role) => roles.slice(roles.indexOf(lowest))
const author = { postedBy: 'me' }
const other = { postedBy: 'somebody' }
const caller = (role: Role, deletedAt: Date | null = null) => ({ role, userId: 'me', deletedAt })

describe('a comment', () => {
  it.each([
    ['is seen', 'view', other, from('comment')],
    ['is replied to', 'reply', other, from('comment')],
    ['is edited by its author', 'edit', author, from('comment')],
    ['is edited by nobody else', 'edit', other, []],
    ['is deleted by its author', 'delete', author, from('comment')],
    ['is deleted by admins', 'delete', other, from('admin')],
  ] as const)('A comment %s (permission %s)', (_name, right, comment, expected) => {
    expect(allowed(role => commentPermissions(caller(role), comment)[right])).toEqual(expected)
  })

  it('A comment is resolved by its author, and by users who may edit', () => {
    expect(allowed(role => mayResolve(caller(role), author))).toEqual(from('comment'))
    expect(allowed(role => mayResolve(caller(role), other))).toEqual(from('edit'))
  })

  it('A comment in a deleted space can only be seen', () => {
    expect(commentPermissions(caller('admin', new Date()), author)).toEqual({
      view: true,
      edit: false,
      reply: false,
      delete: false,
    })
  })
})
