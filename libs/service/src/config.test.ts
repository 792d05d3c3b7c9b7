import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '@recto/operation'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { commonConfig, databaseServiceConfig, readConfig } from './index.ts'

const good = { NATS_URL: 'nats://localhost', PUBLIC_URL: 'http://recto.test//', SIGNING_SECRET: 'a'.repeat(32) }

function faultsOf(env: Record<string, string | undefined>): Failure {
  try {
    readConfig(databaseServiceConfig, env)
  } catch (error) {
    if (error instanceof Failure) return error
  }
  throw new Error('there was no failure')
}

describe('a configuration', () => {
  it('is read from the environment, with defaults for unset variables', () => {
    expect(readConfig(databaseServiceConfig, good)).toMatchObject({
      NATS_URL: 'nats://localhost',
      PUBLIC_URL: 'http://recto.test',
      LOG_LEVEL: 'info',
      DATABASE_POOL: 10,
    })
  })

  it('converts numbers and ignores unknown variables', () => {
    const read = readConfig(commonConfig, { ...good, HEALTH_PORT: '0', PATH: '/bin' })
    expect(read.HEALTH_PORT).toBe(0)
    expect(Object.keys(read)).not.toContain('PATH')
  })

  it('has secrets that are being rotated, the current one first, each as long as it must be', () => {
    const next = 'b'.repeat(32)
    const old = good.SIGNING_SECRET
    const read = (SIGNING_SECRET: string) => readConfig(databaseServiceConfig, { ...good, SIGNING_SECRET })
    expect(read(`${next}, ${old}`).SIGNING_SECRET).toEqual([next, old])
    expect(faultsOf({ ...good, SIGNING_SECRET: `${next},short` }).details).toMatchObject([{ path: 'SIGNING_SECRET' }])
  })

  it.each(['recto.test', 'ftp://recto.test', 'http:', 'localhost:3000'])('has no address %s', PUBLIC_URL => {
    const failure = faultsOf({ ...good, PUBLIC_URL })
    expect(failure.details).toEqual([{ path: 'PUBLIC_URL', message: 'must be an http or https URL' }])
  })

  it('treats an empty variable as unset', () => {
    expect(readConfig(databaseServiceConfig, { ...good, DATABASE_POOL: '', HEALTH_PORT: '' })).toMatchObject({
      DATABASE_POOL: 10,
    })
    expect(faultsOf({ ...good, NATS_URL: '' }).message).toContain('NATS_URL')
  })

  it('is also read from the files of a folder, which variables override', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recto-settings-'))
    await writeFile(join(folder, 'SIGNING_SECRET'), `${good.SIGNING_SECRET}\n`)
    await writeFile(join(folder, 'NATS_URL'), 'nats://in-a-file')
    await writeFile(join(folder, '..data'), 'no setting')
    const { SIGNING_SECRET: _secret, NATS_URL: _url, ...rest } = good
    expect(readConfig(databaseServiceConfig, { ...rest, SETTINGS_DIR: folder })).toMatchObject({
      NATS_URL: 'nats://in-a-file',
      SIGNING_SECRET: [good.SIGNING_SECRET],
    })
    expect(readConfig(databaseServiceConfig, { ...good, SETTINGS_DIR: folder }).NATS_URL).toBe(good.NATS_URL)
    expect(faultsOf({ ...good, SETTINGS_DIR: join(folder, 'nothing') }).message).toContain('SETTINGS_DIR')
    await rm(folder, { recursive: true })
  })

  it('names every invalid variable without its value', () => {
    const failure = faultsOf({
      PUBLIC_URL: 'http://recto.test',
      SIGNING_SECRET: 'hunter2',
      DATABASE_POOL: 'many',
      LOG_LEVEL: 'loud',
      HEALTH_PORT: '70000',
    })
    expect(failure.code).toBe('invalid_request')
    expect(failure.details?.map(fault => fault.path).toSorted()).toEqual([
      'DATABASE_POOL',
      'HEALTH_PORT',
      'LOG_LEVEL',
      'NATS_URL',
      'SIGNING_SECRET',
    ])
    for (const { path } of failure.details ?? []) expect(failure.message).toContain(`${path}: `)
    expect(failure.message).not.toContain('hunter2')
  })

  it('accepts any schema', () => {
    expect(readConfig(z.object({ A: z.string() }), { A: 'b' })).toEqual({ A: 'b' })
  })
})
