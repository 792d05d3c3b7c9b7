import { query } from '@recto/database'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { anEventService, organization, type EventsSetup } from '../test/events-setup.ts'

let setup: EventsSetup
beforeAll(async () => (setup = await anEventService()))
beforeEach(() => query(setup.service.db, 'truncate webhooks cascade'))
afterAll(() => setup.stop())

const params = { organizationId: organization }
const url = 'https://hooks.test/recto'
const admin = () => setup.as('admin')
const create = (settings: object = {}) => admin().createWebhook({ params, body: { url, ...settings } })
const at = ({ id }: { id: string }) => ({ ...params, webhookId: id })
const state = (webhook: { id: string }) => admin().getWebhook({ params: at(webhook) })

describe('the settings of a webhook', () => {
  it('is updated, listed and deleted, and what nothing changes is not recorded', async () => {
    const webhook = await create({ description: 'first' })
    const changed = await admin().updateWebhook({
      params: at(webhook),
      body: { description: 'second', types: ['space.created'] },
    })
    expect(changed).toMatchObject({ description: 'second', types: ['space.created'] })
    await admin().updateWebhook({ params: at(webhook), body: { description: 'second' } })
    expect((await admin().listWebhooks({ params, query: {} })).items.map(({ id }) => id)).toEqual([webhook.id])
    await admin().deleteWebhook({ params: at(webhook) })
    await admin().deleteWebhook({ params: at(webhook) })
    await eventually(async () => {
      const { events } = await admin().listEvents({ params, query: { limit: 1_000 } as never })
      const own = events.filter(({ subject }) => subject.webhook === webhook.id).map(({ type }) => type)
      expect(own).toEqual(['webhook.created', 'webhook.updated', 'webhook.deleted'])
    })
    await expect(state(webhook)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('has a plain web address, and there are at most fifty', async () => {
    for (const url of ['ftp://a', 'https://user:secret@hooks.example/', 'https://user@hooks.example/?a'])
      await expect(create({ url })).rejects.toMatchObject({ message: expect.stringContaining('body.url') })
    await create({ url: 'https://hooks.example/@recto?to=a@b' })
    await expect(create({ types: ['nothing'] })).rejects.toMatchObject({
      message: expect.stringContaining('body.types'),
    })
    const many = Array.from({ length: 52 }, () =>
      create().then(
        () => 'created',
        (error: { code: string }) => error.code,
      ),
    )
    const results = await Promise.all(many)
    expect(results.filter(result => result === 'created')).toHaveLength(49)
    expect(results.filter(result => result === 'conflict')).toHaveLength(3)
  })

  it.each([
    ['members', 'create', 'forbidden'],
    ['outsiders', undefined, 'not_found'],
  ] as const)('is not for %s', async (_who, role, code) => {
    const webhook = await create()
    const caller = setup.as(role)
    const path = { ...at(webhook), deliveryId: 'x' }
    const calls = [
      caller.listWebhooks({ params, query: {} }),
      caller.createWebhook({ params, body: { url: url } }),
      caller.getWebhook({ params: path }),
      caller.updateWebhook({ params: path, body: {} }),
      caller.deleteWebhook({ params: path }),
      caller.rotateWebhookSecret({ params: path }),
      caller.testWebhook({ params: path }),
      caller.listWebhookDeliveries({ params: path, query: {} }),
      caller.getWebhookDelivery({ params: path }),
      caller.replayWebhookDelivery({ params: path }),
      caller.replayWebhook({ params: path, body: { from: '2026-01-01T00:00:00Z' } }),
    ]
    const codes = await Promise.all(calls.map(call => call.catch((error: { code: string }) => error.code)))
    expect(codes).toEqual(calls.map(() => code))
  })
})
