import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { patchGroup } from './patch-group.rules.ts'
import type { PatchOperation } from './patch-resource.rules.ts'

const op = (name: string, path?: string, value?: unknown): PatchOperation => ({
  op: name,
  ...(path !== undefined && { path }),
  ...(value !== undefined && { value }),
})

describe('A PATCH of a group', () => {
  const ids: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd')
  const memberOperation = fc.oneof(
    fc.array(ids).map(list =>
      op(
        'add',
        'members',
        list.map(value => ({ value })),
      ),
    ),
    fc.array(ids).map(list =>
      op(
        'replace',
        'members',
        list.map(value => ({ value })),
      ),
    ),
    ids.map(id => op('remove', `members[value eq "${id}"]`)),
    fc.array(ids, { minLength: 1 }).map(list =>
      op(
        'remove',
        'members',
        list.map(value => ({ value })),
      ),
    ),
    fc.constant(op('remove', 'members')),
  )

  /** The members after operations that are applied to the list itself. */
  function applied(before: string[], list: PatchOperation[]): Set<string> {
    const members = new Set(before)
    for (const { op: name, path = '', value } of list) {
      const [, single] = /"(.)"/.exec(path) ?? []
      const memberIds =
        single === undefined ? ((value as { value: string }[] | undefined) ?? []).map(one => one.value) : [single]
      if (name === 'replace' || (name === 'remove' && memberIds.length === 0)) members.clear()
      for (const id of memberIds)
        if (name === 'remove') members.delete(id)
        else members.add(id)
    }
    return members
  }

  it('Members are those that the operations leave, one after another', () => {
    fc.assert(
      fc.property(fc.uniqueArray(ids), fc.array(memberOperation, { maxLength: 8 }), (before, list) => {
        const { members } = patchGroup({ displayName: 'G' }, list)
        const after = new Set(before.filter(id => !members.isReset && !members.remove.has(id)))
        for (const id of members.add) after.add(id)
        expect([...after].sort()).toEqual([...applied(before, list)].sort())
      }),
    )
  })

  it('Members that are named by too many operations are refused', () => {
    const many = Array.from({ length: 11 }, (_, at) =>
      op(
        'add',
        'members',
        Array.from({ length: 1_000 }, (_one, index) => ({ value: `${at}-${index}` })),
      ),
    )
    expect(() => patchGroup({}, many)).toThrow(expect.objectContaining({ protocolCode: 'invalidValue' }))
  })
})
