import { readdir } from 'node:fs/promises'
import { eventually } from '@recto/testing'
import { describe, expect, it } from '@jest/globals'
import { quickTimes } from './test/a-kept-reader.ts'
import { keptSetup } from './test/kept-setup.ts'

const setup = keptSetup()

describe('a site that is closed', () => {
  it.each<[string, object]>([
    ['is unpublished', { isPublished: false, version: 2 }],
    ['is for those who log in', { visibility: 'visitor-auth', version: 2 }],
    ['is of another visibility, though a lookup lets in', { visibility: 'in-collection', version: 2 }],
  ])('and %s leaves the disk, with nobody asking for it', async (_how, change) => {
    await setup.reader.get('/')
    await setup.untilKept()
    expect(await setup.textOnDisk()).toContain('zebracorn')
    Object.assign(setup.toy.site, change)
    await eventually(async () => expect(await readdir(setup.folder)).toEqual([]))
    await setup.toy.stop()
    await eventually(async () => expect((await setup.reader.get('/')).status).toBe(503))
  })

  it('is not served from disk from the moment when a visitor was refused', async () => {
    await setup.restart({ times: { ...quickTimes, checkEvery: 1_000_000 } })
    await setup.reader.get('/')
    await setup.untilKept()
    setup.toy.site.isPublished = false
    await eventually(async () => expect((await setup.reader.get('/')).status).toBe(404))
    await setup.toy.stop()
    await eventually(async () => expect((await setup.reader.get('/')).status).toBe(503))
    expect((await setup.reader.get('/guide/install')).status).toBe(503)
  })

  it('is closed at once by a notification', async () => {
    await setup.restart({ times: { ...quickTimes, checkEvery: 1_000_000 } })
    await setup.reader.get('/')
    await setup.untilKept()
    setup.toy.site.isPublished = false
    setup.reader.keeper.notify(['site:s'])
    await eventually(async () => expect(await readdir(setup.folder)).toEqual([]))
  })
})

describe('a reader that starts', () => {
  it('in an outage serves nothing, whatever is on disk', async () => {
    await setup.unplug()
    await setup.restart()
    for (let turn = 0; turn < 5; turn += 1) {
      const { status, headers } = await setup.reader.get('/')
      expect([status, headers['retry-after']]).toEqual([503, '5'])
    }
    await setup.toy.start()
    await eventually(async () => expect((await setup.reader.get('/')).status).toBe(200))
  })

  it('later asks about what is on disk, and removes what was closed meanwhile', async () => {
    await setup.unplug()
    setup.toy.site.isPublished = false
    await setup.toy.start()
    await setup.restart()
    await eventually(async () => expect(await readdir(setup.folder)).toEqual([]))
  })

  it('later serves what is on disk once the API has confirmed it, without a visit', async () => {
    await setup.unplug()
    await setup.toy.start()
    await setup.restart()
    await setup.untilKept()
    await setup.toy.stop()
    await setup.untilAway()
    expect((await setup.reader.get('/guide/install')).status).toBe(200)
  })
})

it('A site that was last confirmed too long before the outage is not served', async () => {
  const times = { ...quickTimes, checkEvery: 1_000_000, confirmedFor: 1 }
  await setup.restart({ times })
  await setup.reader.get('/')
  await setup.untilKept()
  await setup.toy.stop()
  await eventually(async () => expect((await setup.reader.get('/')).status).toBe(503))
  expect(await setup.textOnDisk()).toContain('zebracorn')
})

it('Nothing of who logs in, of claims that count, and of a token is ever on disk', async () => {
  const claims = Buffer.from('{"needle":"claimneedle"}').toString('base64url')
  setup.toy.site.adaptive = true
  await setup.reader.get('/')
  await setup.reader.get('/', { headers: { cookie: `recto-claims=${claims}` } })
  await setup.untilKept()
  const text = await setup.textOnDisk()
  expect(text).toContain('zebracorn')
  expect(text).not.toContain('claimneedle')
  expect(text).not.toMatch(/apiToken|"x\.[\w-]+\.x"/)
  Object.assign(setup.toy.site, { visibility: 'visitor-auth', version: 2 })
  await eventually(async () => expect(await readdir(setup.folder)).toEqual([]))
  const cookie = 'recto-visitor=loginneedle'
  for (let turn = 0; turn < 5; turn += 1)
    expect((await setup.reader.get('/', { headers: { cookie } })).status).toBe(200)
  expect(await setup.textOnDisk()).toBe('')
  await setup.toy.stop()
  await eventually(async () => expect((await setup.reader.get('/', { headers: { cookie } })).status).toBe(503))
})
