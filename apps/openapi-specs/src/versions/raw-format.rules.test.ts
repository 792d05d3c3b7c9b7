import { expect, it } from '@jest/globals'
import { rawFormatOf } from './raw-format.rules.ts'

it.each([
  ['{"openapi": "3.1.0"}', 'json'],
  ['\n  {}', 'json'],
  ['\ufeff{}', 'json'],
  ['[1]', 'json'],
  ['openapi: 3.1.0', 'yaml'],
  ['# {}\nopenapi: 3.1.0', 'yaml'],
  ['', 'yaml'],
])('The text %j is read as %s', (text, format) => expect(rawFormatOf(text)).toBe(format))
