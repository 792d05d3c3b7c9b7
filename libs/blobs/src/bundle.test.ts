import { describe, expect, it } from '@jest/globals'
import { packBundle, unpackBundle } from './bundle.ts'

describe('a bundle', () => {
  it.each([[[]], [['']], [['one']], [['', 'two', 'ünï\0\r\n', '']]])(
    'of %j returns the documents byte for byte',
    texts => {
      const documents = texts.map(text => Buffer.from(text))
      expect(unpackBundle(packBundle(documents))).toEqual(documents)
    },
  )

  it('is different each time', () => {
    const documents = [Buffer.from('same')]
    expect(packBundle(documents).equals(packBundle(documents))).toBe(false)
  })

  it.each([1, 3, 4, 6])('without its last %d bytes is refused', missing => {
    const bundle = packBundle([Buffer.from('one'), Buffer.from('two')])
    expect(() => unpackBundle(bundle.subarray(0, -missing))).toThrow('ends too early')
  })
})
