import { describe, expect, it } from '@jest/globals'
import { fileName, shownSource, type SourceView, withoutUrlSecrets } from './sources.rules.ts'

describe('of a source', () => {
  it.each<[string, string | null, SourceView, string | null]>([
    ['whoever may change it sees all', 'https://a.test/x?k=1#f', 'whole', 'https://a.test/x?k=1#f'],
    ['members see no query', 'https://a.test/x?k=1#f', 'withoutQuery', 'https://a.test/x'],
    ['members see what has none as it was set', 'HTTPS://A.test/ü', 'withoutQuery', 'HTTPS://A.test/ü'],
    ['visitors see nothing', 'https://a.test/x', 'none', null],
    ['a text has none', null, 'whole', null],
  ])('%s', (_case, source, view, expected) => expect(shownSource(source, view)).toBe(expected))
})

it.each([
  ['The server a.test answered 403', 'The server a.test answered 403'],
  ['https://a.test/x?k=1 cannot be read: y', 'https://a.test/x cannot be read: y'],
  ['at https://me:pw@a.test/x#f, and http://b.test?k=1', 'at https://a.test/x and http://b.test'],
  ['"$ref": "ftp://me@a.test/x?k=1"', '"$ref": "ftp://a.test/x"'],
  ['is this ok? yes', 'is this ok? yes'],
])('the message %s is shown as %s', (message, expected) => expect(withoutUrlSecrets(message)).toBe(expected))

describe('errors name', () => {
  const source = 'https://a.test/api/v1/openapi.yaml?signature=s'
  it.each([
    ['a text', '', '', 'The text'],
    ['the source', source, source, 'The source'],
    ['a file below', 'https://a.test/api/v1/schemas/toy.yaml?signature=s', source, 'schemas/toy.yaml'],
    ['a file above', 'https://a.test/api/shared/toy.yaml', source, '../shared/toy.yaml'],
    ['a file elsewhere', 'https://b.test/toy.yaml?k=1', source, 'https://b.test/toy.yaml'],
    ['a file that a text refers to', 'https://b.test/toy.yaml?k=1', '', 'https://b.test/toy.yaml'],
  ])('%s', (_what, url, of, name) => expect(fileName(url, of)).toBe(name))
})
