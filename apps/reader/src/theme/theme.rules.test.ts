import { describe, expect, it, test } from '@jest/globals'
import Color from 'color'
import fc from 'fast-check'
import type { Customization } from '../api/types.ts'
import { headerCss, readable, textOn, themeCss } from './theme.rules.ts'

const both = (color: string) => ({ light: color, dark: color })
const aStyling = (styling: Partial<Customization['styling']> = {}): Customization['styling'] =>
  ({
    theme: 'clean',
    corners: 'rounded',
    background: 'plain',
    primaryColor: both('#ffff00'),
    infoColor: both('#3b82f6'),
    successColor: both('#10b981'),
    warningColor: both('#f59e0b'),
    dangerColor: both('#ef4444'),
    ...styling,
  }) as Customization['styling']

const color = fc
  .tuple(...Array.from({ length: 3 }, () => fc.integer({ min: 0, max: 255 })))
  .map(parts => Color.rgb(...parts).hex())

describe('a color of text', () => {
  it('is read on every background of its theme, whatever color a site has', () =>
    fc.assert(
      fc.property(color, fc.constantFrom('#ffffff', '#15171a'), (tint, background) => {
        expect(Color(readable(tint, [background])).contrast(Color(background))).toBeGreaterThanOrEqual(4.5)
      }),
    ))

  it('stays what it is where it is read already', () => expect(readable('#1F5FD6', ['#ffffff'])).toBe('#1F5FD6'))

  it('is read on every color', () =>
    fc.assert(
      fc.property(color, tint => {
        expect(Color(textOn(tint)).contrast(Color(tint))).toBeGreaterThanOrEqual(4.5)
      }),
    ))
})

test('a theme has all properties, light and dark', () => {
  const css = themeCss({ styling: aStyling() })
  const names = (theme: string) =>
    [
      ...(css.split(theme)[1] ?? '')
        .split('}', 1)
        .join('')
        .matchAll(/--[\w-]+/g),
    ].map(([name]) => name)
  const light = names(':root{').filter(name => name !== '--radius')
  expect(light).toEqual(
    expect.arrayContaining(['--color-text', '--color-primary', '--color-primary-soft', '--color-on-accent']),
  )
  expect(names(':root[data-theme="dark"]{')).toEqual(light)
})

test('a tint is in the surfaces', () =>
  expect(themeCss({ styling: aStyling({ tint: { color: both('#ff0000') } }) })).not.toContain(
    '--color-surface:#f6f7f9',
  ))

test.each([
  ['default', ''],
  ['none', ''],
  ['bold', '--header-background:#ffff00;--header-text:#000000;--header-button:#000000;--header-on-button:#ffff00'],
  ['contrast', '--header-background:#1c2024;--header-text:#ffffff'],
  ['custom', '--header-background:#123456;--header-text:#ffffff'],
] as const)('a header with the preset %s', (preset, expected) =>
  expect(headerCss({ header: { preset, links: [], backgroundColor: both('#123456') }, styling: aStyling() })).toMatch(
    `:root{${expected}}`,
  ),
)
