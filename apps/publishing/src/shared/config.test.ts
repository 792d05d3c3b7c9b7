import { describe, expect, it } from '@jest/globals'
import { config } from './config.ts'

const required = {
  NATS_URL: 'nats://a',
  DATABASE_URL_PUBLISHING: 'postgres://a',
  PUBLIC_URL: 'http://a',
  SIGNING_SECRET: 'x'.repeat(32),
}

describe('READER_URL', () => {
  it.each<[string | undefined, string[]]>([
    [undefined, []],
    ['https://reader.test/', ['https://reader.test']],
    ['http://one:3001/docs/, http://two:3001', ['http://one:3001/docs', 'http://two:3001']],
  ])('%s', (READER_URL, expected) => {
    expect(config({ ...required, READER_URL }).READER_URL).toEqual(expected)
  })

  it.each(['reader.test', 'ftp://reader.test', 'https://reader.test,'])('%s is refused', READER_URL => {
    expect(() => config({ ...required, READER_URL })).toThrow('READER_URL: must be http or https URLs')
  })
})

it('READER_SECRET without READER_URL is refused', () => {
  expect(() => config({ ...required, READER_SECRET: 's' })).toThrow(
    'READER_SECRET: must be left out without READER_URL',
  )
})
