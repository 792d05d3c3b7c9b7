import { describe, expect, it } from '@jest/globals'
import { settingsOf, settingText } from './settings.rules.ts'

describe('the settings of a block that readers are told of', () => {
  it.each([
    [
      'a field of its data by its own name',
      { name: 'data.style', before: 'info' },
      [{ name: 'style', before: 'info' }],
    ],
    ['its type', { name: 'type', after: 'heading-1' }, [{ name: 'type', after: 'heading-1' }]],
    ['no anchor, which follows from its words', { name: 'meta.id', before: 'a', after: 'b' }, []],
    ['no view of a table, which follows from its columns', { name: 'data.view', before: {}, after: {} }, []],
  ])('They have %s', (_case, property, expected) => expect(settingsOf([property])).toEqual(expected))

  it.each([
    [undefined, undefined],
    [null, undefined],
    ['words', 'words'],
    [true, 'true'],
    [{ a: 1 }, '{"a":1}'],
    ['x'.repeat(300), `${'x'.repeat(199)}…`],
  ])('The value %j is shown as %j', (value, text) => expect(settingText(value)).toBe(text))
})
