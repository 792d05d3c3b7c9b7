import { expect, it } from '@jest/globals'
import type { FontFace } from './font.entity.ts'
import { changeFaces, droppedHashes, fontFormat, type FaceChange } from './fonts.rules.ts'

it.each([
  ['wOF2 and more', 'woff2'],
  ['wOFF and more', 'woff'],
  ['OTTO', undefined],
  ['<svg>', undefined],
  ['wO', undefined],
  ['', undefined],
])('a file that begins with "%s" is a font of the format %s', (text, expected) =>
  expect(fontFormat(Buffer.from(text))).toBe(expected),
)

const face = (weight: number, hash = `h${weight}`): FontFace => ({ weight, hash, format: 'woff2' })
const to = (weight: number, hash: string | null): FaceChange => ({
  weight,
  file: hash === null ? null : { hash, format: 'woff2' },
})
const faces = [face(400), face(700)]

it.each<[FaceChange[], FontFace[]]>([
  [[], faces],
  [[to(300, 'h300')], [face(300), ...faces]],
  [[to(400, 'new')], [face(400, 'new'), face(700)]],
  [[to(700, null)], [face(400)]],
  [[to(900, null)], faces],
  [[to(400, 'new'), to(700, null)], [face(400, 'new')]],
])('after %j the faces are %j', (changes, expected) =>
  expect(changeFaces(faces, changes, { max: 3 })).toEqual(expected),
)

it.each<[string, FaceChange[]]>([
  ['no regular weight', [to(400, null)]],
  ['too many', [to(100, 'a'), to(200, 'b')]],
])('a font with %s is refused', (_what, changes) =>
  expect(() => changeFaces(faces, changes, { max: 3 })).toThrow(/body\.fontFaces|must leave/),
)

it('the files of faces that are gone are dropped, but those that others have', () => {
  expect(droppedHashes([face(400, 'a'), face(500, 'b'), face(600, 'b')], [face(700, 'a')])).toEqual(['b'])
})
