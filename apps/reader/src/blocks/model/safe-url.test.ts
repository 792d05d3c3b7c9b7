import { expect, it } from '@jest/globals'
import { safeUrl } from './safe-url.ts'

it.each([
  ['https://example.com', 'https://example.com/'],
  ['HTTP://example.com/a b', 'http://example.com/a%20b'],
  ['mailto:me@example.com', 'mailto:me@example.com'],
  ['tel:+12', 'tel:+12'],
  ['/docs/a?b#c', '/docs/a?b#c'],
  ['#a', '#a'],
  [' /a ', '/a'],
  ['//example.com', undefined],
  ['/\\example.com', undefined],
  ['javascript:alert(1)', undefined],
  ['JaVaScRiPt:alert(1)', undefined],
  ['java\nscript:alert(1)', undefined],
  ['\u0001javascript:alert(1)', undefined],
  ['/\t/example.com', undefined],
  ['data:text/html,x', undefined],
  ['vbscript:x', undefined],
  ['file:///etc/passwd', undefined],
  ['blob:https://example.com/x', undefined],
  ['https://', undefined],
  ['page.md', undefined],
  ['', undefined],
  [undefined, undefined],
  [['/a'], undefined],
])('%j is %j', (value, expected) => expect(safeUrl(value)).toBe(expected))
