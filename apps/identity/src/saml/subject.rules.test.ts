import { describe, expect, it } from '@jest/globals'
import { subjectDisplayName, subjectEmail } from './subject.rules.ts'

describe('subjectEmail', () => {
  it.each<[string, string | undefined]>([
    ['ada@recto.test', 'ada@recto.test'],
    ['Ada@Recto.TEST', 'ada@recto.test'],
    ['', undefined],
    ['ada', undefined],
    ['Ada <ada@recto.test>', undefined],
    ['ada@recto.test\n.evil.test', undefined],
    ['ada@recto.test,eve@recto.test', undefined],
    [`${'a'.repeat(243)}@recto.test`, `${'a'.repeat(243)}@recto.test`],
    [`${'a'.repeat(244)}@recto.test`, undefined],
  ])('%j names %j', (nameId, email) => {
    expect(subjectEmail({ nameId })).toBe(email)
  })
})

describe('subjectDisplayName', () => {
  it.each<[string, Record<string, string>, string]>([
    ['first and last name', { first_name: 'Ada', last_name: 'Lovelace' }, 'Ada Lovelace'],
    ['one of them', { last_name: 'Lovelace' }, 'Lovelace'],
    ['object identifiers', { 'urn:oid:2.5.4.42': 'Ada', 'urn:oid:2.5.4.4': 'Lovelace' }, 'Ada Lovelace'],
    [
      'claims',
      {
        'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname': 'Ada',
        'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname': 'Lovelace',
      },
      'Ada Lovelace',
    ],
    ['the whole name', { displayname: 'Countess Ada' }, 'Countess Ada'],
    [
      'first and last before the whole name',
      { displayname: 'Countess Ada', givenname: 'Ada', sn: 'Lovelace' },
      'Ada Lovelace',
    ],
    ['what is empty for nothing', { first_name: ' ', givenname: 'Ada' }, 'Ada'],
    ['spaces and controls as one space', { first_name: '\u202eA\tda\n', last_name: ' L ' }, 'A da L'],
    ['no more than 64 characters', { first_name: '\u{1F4DA}'.repeat(70) }, '\u{1F4DA}'.repeat(64)],
    ['the e-mail when there is no name', {}, 'ada'],
  ])('takes %s', (_case, attributes, name) => {
    expect(subjectDisplayName({ attributes: new Map(Object.entries(attributes)) }, 'ada@recto.test')).toBe(name)
  })
})
