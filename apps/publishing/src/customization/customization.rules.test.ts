import { SiteCustomizationSettings } from '@recto/contracts-publishing'
import { expect, it } from '@jest/globals'
import { defaultCustomization } from '@recto/contracts-publishing'
import { changeOverrides, effectiveCustomization, type OverrideChanges, type Overrides } from './customization.rules.ts'

it('the defaults are complete settings', () => {
  expect(SiteCustomizationSettings.parse(defaultCustomization)).toEqual(defaultCustomization)
  expect(effectiveCustomization()).toEqual(defaultCustomization)
  expect(effectiveCustomization(null, null)).toEqual(defaultCustomization)
})

const red = { light: '#f00', dark: '#a00' }
const blue = { light: '#00f', dark: '#00a' }

it('a space shows what it overrides, and the rest as its site', () => {
  const { styling, header } = defaultCustomization
  const link = { title: 'Home', to: null, links: [] }
  const site = { ...defaultCustomization, title: 'Ours', styling: { ...styling, primaryColor: red } }
  const effective = effectiveCustomization(
    { ...site, header: { ...header, logo: red, links: [link] } },
    { styling: { sidebar: { list: 'pill' } }, header: { links: [] }, favicon: { emoji: '1f4d8' } },
  )
  expect(effective).toEqual({
    ...site,
    styling: { ...site.styling, sidebar: { ...styling.sidebar, list: 'pill' } },
    header: { ...header, logo: red, links: [] },
    favicon: { emoji: '1f4d8' },
  })
  expect(site.styling.sidebar).toEqual(styling.sidebar)
})

it.each<[string, Overrides, OverrideChanges, Overrides]>([
  ['nothing', { title: 'A' }, {}, { title: 'A' }],
  ['a field', {}, { title: 'A' }, { title: 'A' }],
  ['null, which inherits', { title: 'A' }, { title: null }, {}],
  [
    'a field of a group, whose others stay',
    { styling: { primaryColor: red, theme: 'bold' } },
    { styling: { primaryColor: blue } },
    { styling: { primaryColor: blue, theme: 'bold' } },
  ],
  [
    'null in a group',
    { styling: { theme: 'bold', sidebar: { list: 'pill', background: 'filled' } } },
    { styling: { sidebar: { list: null } } },
    { styling: { theme: 'bold', sidebar: { background: 'filled' } } },
  ],
  [
    'the last field of a group',
    { styling: { sidebar: { list: 'pill' } } },
    { styling: { sidebar: { list: null } } },
    {},
  ],
  ['null for a group', { header: { preset: 'bold' }, title: 'A' }, { header: null }, { title: 'A' }],
  [
    'a group after null',
    { header: { preset: 'bold' } },
    { header: { links: [] } },
    { header: { preset: 'bold', links: [] } },
  ],
  ['another favicon, as a whole', { favicon: { emoji: '1f4d8' } }, { favicon: {} }, { favicon: {} }],
])('overrides change by %s', (_case, before, changes, after) => {
  expect(changeOverrides(before, changes)).toEqual(after)
})
