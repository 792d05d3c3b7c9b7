import { describe, expect, it } from '@jest/globals'
import { sourceOf } from './version-source.rules.ts'

describe('the source of a version', () => {
  const current = 'https://a.test/x?k=1'
  it.each<[string, { sourceUrl: string | null; url: string | null }, string | null, string | null]>([
    ['is the recorded one', { sourceUrl: current, url: current }, 'https://later.test/', current],
    ['of a text is none', { sourceUrl: null, url: null }, current, null],
    ['that was not recorded is the address', { sourceUrl: null, url: current }, current, current],
    [
      'is the address also as a browser writes it',
      { sourceUrl: null, url: 'https://a.test/' },
      'https://A.test',
      'https://A.test',
    ],
    ['has no query of a redirect', { sourceUrl: null, url: 'https://b.test/y?s=1' }, current, 'https://b.test/y'],
    ['has none after the source changed to a text', { sourceUrl: null, url: current }, null, 'https://a.test/x'],
    ['is none when too long', { sourceUrl: null, url: `https://b.test/${'y'.repeat(2_048)}` }, current, null],
  ])('%s', (_case, version, sourceUrl, source) => expect(sourceOf(version, { sourceUrl })).toBe(source))
})
