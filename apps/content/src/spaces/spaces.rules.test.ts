import { describe, expect, it } from '@jest/globals'
import type { SpaceSettings } from '../resources/space.entity.ts'
import { defaultEmoji, spaceChanges } from './spaces.rules.ts'

const space = (settings: Partial<SpaceSettings> = {}): SpaceSettings => ({
  title: 'Manual',
  emoji: defaultEmoji,
  icon: null,
  language: null,
  editMode: 'live',
  defaultLevel: 'inherit',
  mergeRules: { type: 'inherit' },
  ...settings,
})
const icon = 'https://example.com/icon.png'

describe('spaceChanges', () => {
  it.each<[string, SpaceSettings, Parameters<typeof spaceChanges>[1], Partial<SpaceSettings>]>([
    ['nothing', space(), {}, {}],
    ['what is so already', space({ language: 'en' }), { title: 'Manual', language: 'en', defaultLevel: 'inherit' }, {}],
    [
      'the same merge rules',
      space({ mergeRules: { type: 'rules', rules: [] } }),
      { mergeRules: { type: 'rules', rules: [] } },
      {},
    ],
    ['merge rules', space(), { mergeRules: { type: 'none' } }, { mergeRules: { type: 'none' } }],
    ['a title', space(), { title: 'Guide' }, { title: 'Guide' }],
    ['an empty title', space(), { title: '' }, { title: '' }],
    ['a language that is cleared', space({ language: 'en' }), { language: null }, { language: null }],
    ['a lock', space(), { editMode: 'locked' }, { editMode: 'locked' }],
    ['a level of null', space(), { defaultLevel: null }, { defaultLevel: null }],
    ['an emoji', space(), { emoji: '1f680' }, { emoji: '1f680' }],
    ['an emoji in the place of an icon', space({ icon }), { emoji: '1f680' }, { emoji: '1f680', icon: null }],
    ['the usual emoji in the place of an icon', space({ icon }), { emoji: defaultEmoji }, { icon: null }],
    ['an icon', space(), { icon }, { icon }],
    ['an icon in the place of an emoji', space({ emoji: '1f680' }), { icon }, { icon, emoji: defaultEmoji }],
    ['no emoji', space({ emoji: '1f680' }), { emoji: null }, { emoji: defaultEmoji }],
    ['no emoji where there is an icon', space({ icon }), { emoji: null }, {}],
    ['no icon', space({ icon }), { icon: null }, { icon: null }],
    ['neither', space({ emoji: '1f680' }), { emoji: null, icon: null }, { emoji: defaultEmoji }],
    ['an icon and no emoji', space({ emoji: '1f680' }), { emoji: null, icon }, { icon, emoji: defaultEmoji }],
  ])('spaceChanges changes %s', (_case, before, request, expected) => {
    expect(spaceChanges(before, request)).toEqual(expected)
  })
})
