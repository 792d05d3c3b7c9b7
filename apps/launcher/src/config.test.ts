import { expect, test } from '@jest/globals'
import { databaseVariable, readConfig } from './config.ts'
import { withManagedDatabase } from './plan.ts'
import { processes } from './processes.ts'

test('defaults apply without variables', () => {
  const { port, dataDir, databaseUrls, natsUrl, adminToken } = readConfig({})
  expect({ port, databaseUrls, natsUrl, adminToken }).toEqual({
    port: 3000,
    databaseUrls: {},
    natsUrl: undefined,
    adminToken: undefined,
  })
  expect(dataDir).toBe(`${process.cwd()}/.data`)
})

test.each([
  [{ PORT: 'x' }, 'PORT must be a number from 0 to 65535, not "x".'],
  [{ PORT: '65536' }, 'PORT must be a number from 0 to 65535, not "65536".'],
  [{ HEALTH_PORT: '-1' }, 'HEALTH_PORT must be a number from 0 to 65535, not "-1".'],
  [{ ADMIN_TOKEN: 'short' }, 'ADMIN_TOKEN must have at least 32 characters, and has 5.'],
  [{ NATS_URL: 'nowhere' }, 'NATS_URL must be a URL.'],
  [{ DATABASE_URL_CONTENT: 'secret' }, 'DATABASE_URL_CONTENT must be a URL.'],
])('%o is refused', (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message)
})

test('an empty variable counts as absent, and a cluster of NATS servers is a URL', () => {
  expect(readConfig({ ADMIN_TOKEN: '', NATS_URL: 'nats://a:1,nats://b:2' })).toMatchObject({
    adminToken: undefined,
    natsUrl: 'nats://a:1,nats://b:2',
  })
})

test('a service with an external database needs no managed one', () => {
  const config = readConfig({ [databaseVariable('content')]: 'postgres://elsewhere/content' })
  expect(withManagedDatabase(processes, config).map(({ name }) => name)).toEqual([
    'identity',
    'publishing',
    'openapi-specs',
    'git-worker',
    'events',
  ])
  expect(databaseVariable('openapi-specs')).toBe('DATABASE_URL_OPENAPI_SPECS')
})
