import { expect, it } from '@jest/globals'
import { fileSettingsKey, settingsKeys, type PlacedEntry } from './settings-keys.ts'

interface Entry extends PlacedEntry<Entry> {
  children?: Entry[]
}

it('The settings of an entry are found by its file, else by its kind and title below the nearest file', () => {
  const entries: Entry[] = [
    { kind: 'page', path: 'docs/README.md', children: [{ kind: 'text', title: 'Soon' }] },
    { kind: 'link', title: 'Status' },
    { kind: 'link', title: ' Status\n' },
    {
      kind: 'group',
      title: 'Guides',
      children: [
        { kind: 'text', title: 'Later', children: [{ kind: 'link', title: 'Far' }] },
        { kind: 'page', path: 'docs/a/b.md', children: [{ kind: 'computed', title: 'api' }] },
      ],
    },
  ]
  expect(Array.from(settingsKeys(entries, 'docs').values(), ({ section, key }) => `${section} ${key}`)).toEqual([
    'pages README.md',
    'entries README.md > text: Soon',
    'entries link: Status',
    'entries link: Status (2)',
    'entries group: Guides',
    'entries group: Guides > text: Later',
    'entries group: Guides > text: Later > link: Far',
    'pages a/b.md',
    'entries a/b.md > computed: api',
  ])
  expect(fileSettingsKey('docs/.gitbook/assets/a.png', 'docs')).toEqual({
    section: 'files',
    key: '.gitbook/assets/a.png',
  })
})
