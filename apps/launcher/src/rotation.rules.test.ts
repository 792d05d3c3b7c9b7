import { expect, test } from '@jest/globals'
import { parseRotation, rotated } from './rotation.rules.ts'

const secrets = { signingSecret: 'signing', encryptionKey: 'encryption', postgres: 'p', s3: 's', passwords: {} }
const rotation = { name: 'signing-secret', finish: false } as const

test('a rotation puts a new secret before the current one, and ends with the new one alone', () => {
  const during = rotated(secrets, rotation)
  expect(during).toEqual({ ...secrets, signingSecret: expect.stringMatching(/^[\w-]{43},signing$/) })
  const after = rotated(during, { ...rotation, finish: true })
  expect(after.signingSecret).toBe(during.signingSecret.split(',')[0])
})

test('only one rotation of a secret is under way', () => {
  const during = rotated(secrets, rotation)
  expect(() => rotated(during, rotation)).toThrow('finish that first')
  expect(rotated(during, { ...rotation, name: 'encryption-key' }).encryptionKey).toMatch(/,encryption$/)
  expect(() => rotated(secrets, { ...rotation, finish: true })).toThrow('not being rotated')
})

test.each([[[]], [['password']], [['signing-secret', '--now']]])('the arguments %j are refused', args => {
  expect(() => parseRotation(args)).toThrow('must have the argument')
})
