import { expect, it } from '@jest/globals'
import type { EventRow } from '../record/event.entity.ts'
import { causesOf } from './cause.rules.ts'

const event = (fields: Partial<EventRow>) => ({ sequence: 7, operationId: null, subject: {}, ...fields }) as EventRow

it.each<[string, Partial<EventRow>, object[]]>([
  [
    'that ends a git operation is caused by its start',
    { type: 'git.sync.failed', subject: { space: 's', gitOperation: 'g' } },
    [{ sequence: 7, type: 'git.sync.started', id: 'g' }],
  ],
  [
    'that purges a space is caused by its deletion',
    { type: 'space.purged', subject: { space: 's' } },
    [{ sequence: 7, type: 'space.deleted', id: 's' }],
  ],
  [
    'that a request made has no cause',
    { type: 'import.finished', subject: { space: 's', importRun: 'i' }, operationId: 'cancelImportRun' },
    [],
  ],
  ['of a type that begins something has no cause', { type: 'git.sync.started', subject: { gitOperation: 'g' } }, []],
  ['of a type of a later version has no cause', { type: 'space.painted', subject: { space: 's' } }, []],
])('An event %s', (_case, fields, causes) => expect(causesOf([event(fields)])).toEqual(causes))
