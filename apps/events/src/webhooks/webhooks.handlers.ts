import { randomUUID } from 'node:crypto'
import { maxWebhooks, webhooks as rows } from '@recto/contracts-events'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { changedFields, createId, Failure, feature, omitUndefined } from '@recto/operation'
import { signedHeaders } from '@recto/outgoing'
import { requireAdmin } from '../access/require-admin.ts'
import * as events from '../record/events.repository.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { switchedOff } from './delivery.rules.ts'
import * as deliveries from './deliveries.repository.ts'
import { messageOf, signingSecrets } from './message.ts'
import { presentDelivery, presentWebhook } from './present-webhook.ts'
import { newWebhookSecret, webhookSecrets } from './secrets.ts'
import { sendEvent } from './send-event.ts'
import type { WebhookRow } from './webhook.entity.ts'
import * as webhooks from './webhooks.repository.ts'

/** Milliseconds for which a former secret signs, too. */
const formerSecretLife = 86_400_000

interface WebhookPath {
  organizationId: string
  webhookId: string
}

export const webhookFeature = feature<BaseContext>()(rows, {
  async listWebhooks({ params: { organizationId }, query }, context) {
    requireAdmin(context, organizationId)
    const page = await webhooks.list(context.db, organizationId, { ...query, cursorKey: context.cursorKey() })
    const ids = page.items.map(({ id }) => id)
    const waiting = await deliveries.countWaiting(context.db, ids)
    return {
      ...page,
      items: page.items.map(row => presentWebhook(row, { ...context, waiting: waiting.get(row.id) ?? 0 })),
    }
  },

  async createWebhook({ params: { organizationId }, body }, context) {
    requireAdmin(context, organizationId)
    await requireResources(context, organizationId, body)
    const secret = newWebhookSecret()
    const row = await context.transaction(async tx => {
      // Counts and creates one after another, because the sequence is locked.
      const { last } = await events.lockSequence(tx, organizationId)
      if ((await webhooks.count(tx, organizationId)) >= maxWebhooks)
        throw new Failure('conflict', `An organization has at most ${maxWebhooks} webhooks`)
      const webhook = newWebhook({ ...body, organizationId, ownerId: context.actor.userId, cursor: last })
      webhook.secret = webhookSecrets.seal(secret, webhook.id, context.signingSecret)
      await webhooks.insert(tx, webhook)
      tx.record(recorded('webhook.created', { organization: organizationId, webhook: webhook.id }))
      return webhook
    })
    return { ...presentWebhook(row, { ...context, waiting: 0 }), secret }
  },

  async getWebhook({ params }, context) {
    return present(await webhookAt(context, params), context)
  },

  async updateWebhook({ params, body }, context) {
    requireAdmin(context, params.organizationId)
    await requireResources(context, params.organizationId, body)
    const row = await change(context, params, async (tx, webhook) => {
      const before = settingsOf(webhook)
      const after = { ...before, ...omitUndefined(body) }
      const fields = changedFields(before, after)
      if (fields.length === 0) return webhook
      const { space: spaceId, site: siteId, enabled, ...others } = after
      const switching = enabled === webhook.enabled ? {} : await switchTo(tx, webhook, enabled)
      const changes = { ...others, spaceId, siteId, ...switching, updatedAt: new Date() }
      await webhooks.update(tx, webhook.id, changes)
      const { id, organizationId: organization } = webhook
      tx.record(recorded('webhook.updated', { organization, webhook: id, details: { fields } }))
      return { ...webhook, ...changes }
    })
    return present(row, context)
  },

  async deleteWebhook({ params: { organizationId, webhookId } }, context) {
    requireAdmin(context, organizationId)
    await context.transaction(async tx => {
      const webhook = await webhooks.lock(tx, webhookId)
      if (webhook?.organizationId !== organizationId) return
      await webhooks.remove(tx, webhookId)
      tx.record(recorded('webhook.deleted', { organization: organizationId, webhook: webhookId }))
    })
    return undefined
  },

  async rotateWebhookSecret({ params }, context) {
    const secret = newWebhookSecret()
    await change(context, params, async (tx, webhook) => {
      const { id, organizationId, secret: formerSecret } = webhook
      const now = new Date()
      await webhooks.update(tx, id, {
        secret: webhookSecrets.seal(secret, id, context.signingSecret),
        formerSecret,
        formerUntil: new Date(now.getTime() + formerSecretLife),
        updatedAt: now,
      })
      tx.record(recorded('webhook.secret.rotated', { organization: organizationId, webhook: id }))
      return webhook
    })
    return { secret }
  },

  async testWebhook({ params }, context) {
    const webhook = await webhookAt(context, params)
    const at = new Date()
    const id = randomUUID()
    const data = { object: 'event', id, type: 'webhook.test', organization: webhook.organizationId }
    const body = JSON.stringify({ type: 'webhook.test', timestamp: at.toISOString(), data })
    const headers = signedHeaders({ id, at, body }, signingSecrets(webhook, context.signingSecret, at))
    return sendEvent(context.outgoing, { url: webhook.url, headers, body })
  },

  async listWebhookDeliveries({ params, query: { status, ...request } }, context) {
    const { id: webhookId } = await webhookAt(context, params)
    const listing = { ...request, cursorKey: context.cursorKey() }
    const page = await deliveries.list(context.db, { webhookId, status }, listing)
    return { ...page, items: page.items.map(presentDelivery) }
  },

  async getWebhookDelivery({ params: { deliveryId, ...params } }, context) {
    const webhook = await webhookAt(context, params)
    const row = await deliveries.get(context.db, { webhookId: webhook.id, id: deliveryId })
    const event = await events.findBySequence(context.db, webhook.organizationId, row.sequence)
    const body = event?.id === row.eventId ? messageOf(event) : ''
    return {
      ...presentDelivery(row),
      request: { headers: { 'content-type': 'application/json', 'webhook-id': row.eventId }, body },
    }
  },

  async replayWebhookDelivery({ params: { deliveryId, ...params } }, context) {
    const row = await change(context, params, async (tx, webhook) => {
      requireEnabled(webhook)
      const { id } = await deliveries.get(tx, { webhookId: webhook.id, id: deliveryId })
      await deliveries.restart(tx, id, new Date())
      return deliveries.get(tx, { webhookId: webhook.id, id })
    })
    return presentDelivery(row)
  },

  async replayWebhook({ params, body: { from } }, context) {
    const row = await change(context, params, async (tx, webhook) => {
      requireEnabled(webhook)
      const oldest = new Date(Math.max(Date.parse(from), Date.now() - context.feedRetention))
      const first = await events.firstSince(tx, webhook.organizationId, oldest)
      if (first === undefined || first > webhook.cursor) return webhook
      await deliveries.removeWaitingAfter(tx, webhook.id, first - 1)
      await webhooks.update(tx, webhook.id, { cursor: first - 1 })
      return { ...webhook, cursor: first - 1 }
    })
    return present(row, context)
  },
})

/** Throws `not_found` when the space or the site that a webhook is about is not there for the caller to see. */
async function requireResources(
  { actor, content, publishing }: Context,
  organization: string,
  { space, site }: { space?: string | null | undefined; site?: string | null | undefined },
): Promise<void> {
  const { spaces } = space
    ? await content.findReadable({ body: { actor, organization, spaces: [space], collections: [] } })
    : { spaces: [] }
  if (space && spaces.length === 0) throw new Failure('not_found', 'body.space: There is no such space')
  const { sites } = site
    ? await publishing.findReadableSites({ body: { actor, organization, sites: [site] } })
    : { sites: [] }
  if (site && sites.length === 0) throw new Failure('not_found', 'body.site: There is no such site')
}

/** A webhook for an admin of its organization; throws `forbidden` or `not_found`. */
async function webhookAt(context: Context, { organizationId, webhookId: id }: WebhookPath): Promise<WebhookRow> {
  requireAdmin(context, organizationId)
  return webhooks.get(context.db, { organizationId, id })
}

/** Locks a webhook, and changes it in one transaction. */
async function change<T>(
  context: Context,
  { organizationId, webhookId: id }: WebhookPath,
  work: (tx: Transaction, webhook: WebhookRow) => Promise<T>,
): Promise<T> {
  requireAdmin(context, organizationId)
  return context.transaction(async tx => work(tx, await webhooks.lockOf(tx, { organizationId, id })))
}

/** Throws `conflict` for a webhook that is switched off: nothing would be sent. */
function requireEnabled({ enabled }: WebhookRow): void {
  if (!enabled) throw new Failure('conflict', 'The webhook is switched off: switch it on before events are sent again')
}

async function present(row: WebhookRow, { db, publicUrl }: Context) {
  const waiting = await deliveries.countWaiting(db, [row.id])
  return presentWebhook(row, { publicUrl, waiting: waiting.get(row.id) ?? 0 })
}

type NewWebhook = Pick<WebhookRow, 'organizationId' | 'ownerId' | 'cursor' | 'url' | 'types' | 'description'> & {
  space: string | null
  site: string | null
}

function newWebhook({ space, site, ...fields }: NewWebhook): WebhookRow {
  const now = new Date()
  return {
    id: createId(),
    ...fields,
    spaceId: space,
    siteId: site,
    enabled: true,
    disabledReason: null,
    secret: Buffer.alloc(0),
    formerSecret: null,
    formerUntil: null,
    failures: 0,
    failingSince: null,
    pausedUntil: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** The settings of a webhook under their names in the API. */
function settingsOf({ url, types, description, spaceId: space, siteId: site, enabled }: WebhookRow) {
  return { url, types, description, space, site, enabled }
}

/** Switches a webhook on, from what is new on, or off. */
async function switchTo(tx: Transaction, webhook: WebhookRow, enabled: boolean): Promise<Partial<WebhookRow>> {
  if (!enabled) {
    await deliveries.skipWaiting(tx, webhook.id, new Date())
    return switchedOff('user')
  }
  const { last } = await events.findSequence(tx, webhook.organizationId)
  return { enabled: true, disabledReason: null, cursor: last }
}
