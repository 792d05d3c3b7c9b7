import { describe, expect, it } from '@jest/globals'
import type { DocumentRef } from '@recto/markdown/schema'
import fc from 'fast-check'
import { namedTarget } from './named-target.rules.ts'
import { writeTarget, type TargetContext } from './write-target.ts'

const place = { publicUrl: 'https://recto.example', spaceId: 'here' }
const empty: TargetContext = {
  ...place,
  file: 'a/b.md',
  page: () => undefined,
  fileById: () => undefined,
  reusable: () => undefined,
}

describe('the target of a reference', () => {
  it.each<[string, DocumentRef | undefined]>([
    ['https://recto.example/u/a', { kind: 'user', user: 'a' }],
    ['https://recto.example/c/a', { kind: 'collection', collection: 'a' }],
    ['https://recto.example/~/openapi/pets', { kind: 'openapi', spec: 'pets' }],
    ['https://recto.example/s/there', { kind: 'space', space: 'there' }],
    ['https://recto.example/s/here/~/pages/a', { kind: 'page', page: 'a' }],
    ['https://recto.example/s/there/~/pages/a#b', { kind: 'anchor', anchor: 'b', page: 'a', space: 'there' }],
    ['https://recto.example/s/there#b', { kind: 'anchor', anchor: 'b', space: 'there' }],
    ['https://recto.example/s/there/~/files/a', { kind: 'file', file: 'a', space: 'there' }],
    ['https://recto.example/s/there/~/reusable/a', { kind: 'reusable-content', reusableContent: 'a', space: 'there' }],
    ['https://recto.example/s/there/~/changes/1', undefined],
    ['https://recto.example/s/there/guide', undefined],
    ['https://recto.example/c/a?b', undefined],
    ['https://recto.example/s/%E0%A4%A', undefined],
    ['https://recto.example.org/s/there', undefined],
    ['guide.md', undefined],
  ])('The reference %s targets %j', (target, ref) => expect(namedTarget(target, place)).toEqual(ref))

  it('The target of a reference keeps an id that the content does not have', () => {
    const id = fc.string({ minLength: 1, unit: 'grapheme' })
    const space = {
      space: fc.option(
        id.filter(name => name !== place.spaceId),
        { nil: undefined },
      ),
    }
    const kind = <Kind extends string>(name: Kind) => ({ kind: fc.constant(name) })
    const refs = fc.oneof(
      fc.record({ ...kind('page'), page: id, ...space }),
      fc.record({ ...kind('anchor'), anchor: id, page: id, ...space }),
      fc.record({ ...kind('anchor'), anchor: id, space: id.filter(name => name !== place.spaceId) }),
      fc.record({ ...kind('file'), file: id, ...space }),
      fc.record({ ...kind('reusable-content'), reusableContent: id, ...space }),
      fc.record({ ...kind('user'), user: id }),
      fc.record({ ...kind('collection'), collection: id }),
      fc.record({ ...kind('space'), space: id }),
      fc.record({ ...kind('openapi'), spec: id }),
    ) as fc.Arbitrary<DocumentRef>
    fc.assert(
      fc.property(refs, ref => expect(namedTarget(writeTarget(ref, empty), place)).toEqual(ref)),
      { numRuns: 500 },
    )
  })
})
