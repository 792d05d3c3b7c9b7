import { describe, expect, it } from '@jest/globals'
import { UsageFailure } from '../terminal/command.ts'
import { countChanges, pushTarget, type PushTarget } from './push.rules.ts'

const own = { id: 'abc', number: 3 }

describe('A push writes to', () => {
  it.each<[string, PushTarget | undefined, typeof own | undefined, PushTarget | undefined | 'refused']>([
    ['main content, which the folder follows', undefined, undefined, undefined],
    ['the change request that the caller names', { id: '4' }, undefined, { id: '4' }],
    ['a new change request', { subject: 'A' }, undefined, { subject: 'A' }],
    ['the change request that the folder follows', undefined, own, { id: 'abc' }],
    ['the same by its number', { id: '3' }, own, { id: 'abc' }],
    ['the same by its id', { id: 'abc' }, own, { id: 'abc' }],
    ['no other change request', { id: '4' }, own, 'refused'],
    ['no new one', { subject: 'A' }, own, 'refused'],
  ])('%s', (_title, target, changeRequest, expected) => {
    const choose = () => pushTarget(target, changeRequest ? { changeRequest } : {})
    if (expected === 'refused') expect(choose).toThrow(UsageFailure)
    else expect(choose()).toEqual(expected)
  })
})

it('Files are counted by what happened to them', () => {
  const folder = new Map([
    ['same.md', '1'],
    ['changed.md', '2'],
    ['new.md', '3'],
  ])
  const before = { 'same.md': '1', 'changed.md': '1', 'removed.md': '1' }
  expect(countChanges(folder, before)).toEqual({ added: 1, changed: 1, removed: 1 })
  expect(countChanges(folder, Object.fromEntries(folder))).toEqual({ added: 0, changed: 0, removed: 0 })
})
