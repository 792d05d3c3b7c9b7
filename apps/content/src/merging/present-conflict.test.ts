import { expect, it } from '@jest/globals'
import type { Conflict } from './conflict.ts'
import { presentConflict } from './present-conflict.ts'

const record = { id: 'a', title: 'A', slug: 'a', order: 'a0', createdAt: '2026-01-01T00:00:00.000Z' }

it.each<[string, Conflict, object]>([
  [
    'a deleted page has the fields that readers know',
    { kind: 'deleted', page: 'a', base: record, main: record },
    { base: { id: 'a', title: 'A', slug: 'a' }, main: { id: 'a', title: 'A', slug: 'a' } },
  ],
  [
    'a deleted variable has its values',
    { kind: 'deleted', variable: 'n', base: 1, main: 'two' },
    { base: 1, main: 'two' },
  ],
  [
    'a deleted redirect has its targets',
    { kind: 'deleted', configuration: 'redirects.old', base: 'a.md', changeRequest: 'b.md' },
    { base: 'a.md', changeRequest: 'b.md' },
  ],
  [
    'a field has its values',
    { kind: 'field', page: 'a', field: 'title', main: 'A', changeRequest: 'B' },
    { main: 'A' },
  ],
])('The conflict of %s', (_thing, conflict, presented) => expect(presentConflict(conflict)).toMatchObject(presented))
