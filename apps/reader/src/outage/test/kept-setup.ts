import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@recto/testing'
import { afterEach, beforeEach, expect } from '@jest/globals'
import { aKeptReader, type KeptReader } from './a-kept-reader.ts'
import { aToyApi, type ToyApi } from './toy-api.ts'

/** A toy API and a reader that keeps its site, new ones for each test. */
export interface KeptSetup {
  folder: string
  toy: ToyApi
  reader: KeptReader
  /** Starts another reader in place of the one before. */
  restart(options?: Omit<Parameters<typeof aKeptReader>[1], 'folder'>): Promise<void>
  /** The value of a metric. */
  gauge(name: string): Promise<number>
  untilKept(): Promise<void>
  untilAway(): Promise<void>
  untilBack(): Promise<void>
  /** Everything below the folder, as text. */
  textOnDisk(): Promise<string>
  /** Opens one page of the site, and ends the API when all of it is kept. */
  unplug(): Promise<void>
}

/** The metric of sites that are kept as a whole. */
export const wholeSites = 'kept_sites{state="whole",service="reader"}'

/** Makes them for the tests of a file. */
export function keptSetup(): KeptSetup {
  const cacheStatus = async () => (await setup.reader.get('/')).headers['cache-status']
  const setup = {
    async restart(options = {}) {
      await setup.reader.stop()
      setup.reader = await aKeptReader(setup.toy, { folder: setup.folder, ...options })
    },
    async gauge(name) {
      const { body } = await setup.reader.metrics.text()
      return Number(new RegExp(`^${name.replaceAll(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(body)?.[1])
    },
    untilKept: () => eventually(async () => expect(await setup.gauge(wholeSites)).toBe(1)),
    untilAway: () => eventually(async () => expect(await cacheStatus()).toMatch(/^Recto; hit/)),
    untilBack: () => eventually(async () => expect(await cacheStatus()).toBeUndefined()),
    async textOnDisk() {
      const files = await readdir(setup.folder, { recursive: true, withFileTypes: true })
      const texts = files.filter(file => file.isFile()).map(file => readFile(join(file.parentPath, file.name), 'utf8'))
      return (await Promise.all(texts)).join('\n')
    },
    async unplug() {
      expect((await setup.reader.get('/')).status).toBe(200)
      await setup.untilKept()
      await setup.toy.stop()
      await setup.untilAway()
    },
  } as KeptSetup
  beforeEach(async () => {
    setup.folder = await mkdtemp(join(tmpdir(), 'recto-kept-'))
    setup.toy = await aToyApi()
    setup.reader = await aKeptReader(setup.toy, { folder: setup.folder })
  })
  afterEach(async () => {
    await setup.reader.stop()
    await setup.toy.stop().catch(() => undefined)
    await rm(setup.folder, { recursive: true, force: true })
  })
  return setup
}
