import { describe, expect, test } from '@jest/globals'
import { currentContext, currentTraceId, injectTrace, runInContext, withSpan } from './index.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

test('values of a request are present after an await and absent outside', async () => {
  await runInContext({ requestId: 'r1', operationId: 'getSpace' }, async () => {
    await new Promise(setImmediate)
    expect(currentContext()).toEqual({ requestId: 'r1', operationId: 'getSpace' })
  })
  expect(currentContext()).toBeUndefined()
})

test('an inner context adds to the outer one', () => {
  const seen = runInContext({ requestId: 'r1' }, () => runInContext({ operationId: 'getSpace' }, currentContext))
  expect(seen).toEqual({ requestId: 'r1', operationId: 'getSpace' })
})

test('concurrent requests are isolated from each other', async () => {
  const ask = (requestId: string) =>
    runInContext({ requestId }, async () => {
      await new Promise(setImmediate)
      return currentContext()?.requestId
    })
  expect(await Promise.all([ask('a'), ask('b')])).toEqual(['a', 'b'])
})

describe('without an SDK', () => {
  test('the incoming trace is passed on unchanged', () => {
    const incoming = { traceparent, tracestate: 'vendor=1' }
    expect(runInContext({}, () => injectTrace({}), incoming)).toEqual(incoming)
  })

  test('a span keeps the trace of its context', async () => {
    expect(await runInContext({}, () => withSpan('query', {}, async () => currentTraceId()), { traceparent })).toBe(
      traceId,
    )
  })

  test('nothing is passed on when nothing came in', async () => {
    expect(await withSpan('getSpace', {}, async () => injectTrace({}))).toEqual({})
  })

  test('an error of the function propagates through the span', async () => {
    const failing = withSpan('getSpace', {}, async () => {
      throw new Error('broken')
    })
    await expect(failing).rejects.toThrow('broken')
  })
})

describe('headers', () => {
  test('are written to and read from a header map as from a record', () => {
    const headers = new Map<string, string>()
    runInContext({}, () => injectTrace(headers), { traceparent, tracestate: 'a=1' })
    expect(Object.fromEntries(headers)).toEqual({ traceparent, tracestate: 'a=1' })
    expect(runInContext({}, () => injectTrace({}), headers)).toEqual({ traceparent, tracestate: 'a=1' })
  })

  const malformed = [
    undefined,
    '',
    'x',
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `ff-${traceId}-b7ad6b7169203331-01`,
    `${traceparent}-extra`,
  ]
  test.each(malformed)('a traceparent %j is ignored', value => {
    expect(runInContext({}, currentTraceId, { traceparent: value })).toBeUndefined()
  })
})
