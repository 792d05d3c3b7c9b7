import { ConvertFailure } from '@recto/convert'
import { Failure } from '@recto/operation'
import { WorkerFailure } from '@recto/worker-pool'
import { expect, it } from '@jest/globals'
import { importError, redactPath, redactUrl } from './imports.rules.ts'

it.each([
  [new ConvertFailure('invalid', 'x'), 'invalid_request'],
  [new ConvertFailure('unreachable', 'x'), 'invalid_request'],
  [new ConvertFailure('too_large', 'x'), 'too_large'],
  [new Failure('unavailable', 'x'), 'unavailable'],
  [new WorkerFailure('timeout'), 'timeout'],
  [new WorkerFailure('memory'), 'too_large'],
  [new WorkerFailure('depth'), 'too_large'],
  [new WorkerFailure('closed'), undefined],
  [new Failure('internal', 'x'), undefined],
  [new TypeError('x'), undefined],
])('The error %p is shown as %s', (error, code) => expect(importError(error)?.code).toBe(code))

it.each([
  ['https://x.example/a?token=b#c', 'https://x.example/a'],
  ['guide/a?b.md', 'guide/a?b.md'],
  ['c:/a?b.md', 'c:/a?b.md'],
  ['', ''],
])('The path %s of a source is shown as %s', (path, expected) => expect(redactPath(path)).toBe(expected))

it.each([
  ['https://x.example/a?token=b#c', 'https://x.example/a'],
  ['http://u:p@x.example', 'http://x.example/'],
])('The URL %s is shown as %s', (url, expected) => expect(redactUrl(url)).toBe(expected))
