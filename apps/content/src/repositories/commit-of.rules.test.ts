import { describe, expect, it } from '@jest/globals'
import { isCommitOf } from './commit-of.rules.ts'

describe('a revision and a commit', () => {
  const git = { oid: 'a', message: '', ref: '', createdByService: true }
  const configuration = { root: 'docs', readme: '', summary: '', redirects: {} }
  it.each([
    ['that an export made of it', git, true],
    ['that was imported', { ...git, createdByService: false }, false],
    ['that has more', { ...git, isPartial: true }, false],
    ['that is another one', { ...git, oid: 'b' }, false],
    ['of an edit', null, false],
  ])('A revision is the same as a commit: %s', (_case, of, expected) =>
    expect(isCommitOf({ git: of, configuration }, { oid: 'a', root: 'docs' }) ?? false).toBe(expected),
  )
  it('A revision of another folder is not the same as a commit', () =>
    expect(isCommitOf({ git, configuration }, { oid: 'a', root: '' })).toBe(false))
})
