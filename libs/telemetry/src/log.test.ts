import { describe, expect, test } from '@jest/globals'
import { createLog, runInContext } from './index.ts'

function recorded() {
  const lines: string[] = []
  const log = createLog({ service: 'content', level: 'debug', destination: { write: line => void lines.push(line) } })
  return { log, text: () => lines.join(''), last: () => JSON.parse(lines.at(-1) ?? '{}') }
}

test('a line contains service, level, time and message', () => {
  const { log, last } = recorded()
  log.info({ space: 's1' }, 'space made')
  expect(last()).toMatchObject({
    service: 'content',
    level: 'info',
    msg: 'space made',
    space: 's1',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})

test('a line inside a request contains request id, operation and trace', () => {
  const { log, last } = recorded()
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  runInContext({ requestId: 'r1', operationId: 'getSpace' }, () => log.info('asked'), { traceparent })
  expect(last()).toMatchObject({
    requestId: 'r1',
    operationId: 'getSpace',
    traceId: '0af7651916cd43dd8448eb211c80319c',
  })
  log.info('alone')
  expect(last()).not.toHaveProperty('requestId')
})

describe('a secret never reaches a line', () => {
  const secret = 'S3cr3t-value'
  const cases: [string, object, string][] = [
    ['as a field', { token: secret }, ''],
    ['deep in a field', { request: { headers: [{ Authorization: `Token ${secret}` }] } }, ''],
    [
      'under a compound name',
      { accessToken: secret, client_secret: secret, 'x-api-key': secret, repositoryPassword: secret },
      '',
    ],
    ['as an object of credentials', { credentials: { user: 'u', value: secret } }, ''],
    ['in a cookie', { headers: { cookie: `session=${secret}` } }, ''],
    ['in a URL', { url: `https://user:${secret}@git.example/x.git` }, ''],
    ['in a URL object', { url: new URL(`https://user:${secret}@git.example/x.git`) }, ''],
    ['in a URL with an @ and a quote in the password', { url: `https://user:"p@${secret}@git.example/x.git` }, ''],
    ['in the message', {}, `cannot clone https://${secret}@git.example/x.git`],
    ['as a bearer token in the message', {}, `sent Bearer ${secret}`],
    ['as an access token in the message', {}, `got recto_${secret.replaceAll('-', '')}0123456789`],
    ['in a query string', { path: `/files?download_token=${secret}&x=1` }, ''],
    ['in an error', { err: new Error(`clone of https://u:${secret}@h/x failed`) }, ''],
    ['in a field of an error', { err: Object.assign(new Error('no'), { config: { password: secret } }) }, ''],
    ['in the cause of an error', { err: new Error('no', { cause: new Error(`https://u:${secret}@h/`) }) }, ''],
  ]
  test.each(cases)('%s', (_where, fields, message) => {
    const { log, text } = recorded()
    log.info(fields, message)
    expect(text()).not.toMatch(/S3cr3t/)
    expect(text()).toContain('[redacted]')
  })

  test('in a child log', () => {
    const { log, text } = recorded()
    log
      .child({ space: 's1' })
      .child({ token: secret, credentials: { value: secret } })
      .info('x')
    expect(text()).not.toContain(secret)
  })
})

test('a value that only looks like a secret is kept', () => {
  const { log, last } = recorded()
  log.info({ tokenId: 't1', tokens: 5, url: 'https://git.example/a@b', email: 'a@b.example' }, 'mail to a@b.example')
  expect(last()).toMatchObject({
    tokenId: 't1',
    tokens: 5,
    url: 'https://git.example/a@b',
    email: 'a@b.example',
    msg: 'mail to a@b.example',
  })
})

test('an error is written with type, message, stack, fields and cause', () => {
  const { log, last } = recorded()
  const error = Object.assign(new TypeError('outer', { cause: new Error('inner') }), { code: 'E1' })
  log.error(error)
  expect(last()).toMatchObject({
    msg: 'outer',
    err: { type: 'TypeError', message: 'outer', code: 'E1', cause: { message: 'inner' } },
  })
  expect(last().err.stack).toContain('log.test')
})

test('cycles, connections and bytes are bounded', () => {
  const { log, last } = recorded()
  const cycle: Record<string, unknown> = { name: 'c' }
  cycle.self = cycle
  log.info({ cycle, bytes: Buffer.alloc(9), map: new Map() }, 'x')
  expect(last()).toMatchObject({ bytes: '[9 bytes]', map: '[Map]', cycle: { self: { name: 'c' } } })
})

test('a database error is logged with its shortened statement and no values', () => {
  const { log, last, text } = recorded()
  const driverError = Object.assign(new Error('duplicate key'), {
    severity: 'ERROR',
    code: '23505',
    constraint: 'users_email',
    detail: 'Key (email)=(eve@private.example) already exists.',
    where: 'eve@private.example',
  })
  const query = `INSERT INTO users(email) VALUES ($1) ${', ($2)'.repeat(500)}`
  log.error(
    {
      err: Object.assign(new Error('duplicate key', { cause: driverError }), {
        query,
        parameters: ['eve@private.example'],
        driverError,
      }),
    },
    'failed',
  )
  expect(last().err).toMatchObject({
    query: `${query.slice(0, 299)}…`,
    driverError: { code: '23505', constraint: 'users_email' },
    cause: { code: '23505' },
  })
  expect(text()).not.toContain('private')
  expect(last().err).not.toHaveProperty('parameters')
})

test('fields of other errors are kept, whatever their names', () => {
  const { log, last } = recorded()
  log.error({ err: Object.assign(new Error('no'), { detail: 'd', where: 'w' }) }, 'failed')
  expect(last().err).toMatchObject({ detail: 'd', where: 'w' })
})
