import { eventually } from '@recto/testing'
import { sendOk, type Person } from './people.ts'
import type { Installation } from './stack.ts'

/** Creates a webhook that has a delivery, and resolves when the audit log has an event. */
export async function aWebhook(
  stack: Installation,
  { id, admin }: { id: string; admin: Person },
): Promise<{ auditEventId: string[]; webhookId: string[]; deliveryId: string[] }> {
  const path = `/orgs/${id}`
  const body = { url: 'https://hooks.test/recto' }
  const webhook = await sendOk<{ id: string }>(stack, admin, { method: 'POST', path: `${path}/webhooks`, body })
  const idsOf = async (list: string) =>
    eventually(async () => {
      const { items } = await sendOk<{ items: { id: string }[] }>(stack, admin, {
        method: 'GET',
        path: `${path}/${list}`,
      })
      if (items.length === 0) throw new Error(`${list} is empty`)
      return items.map(item => item.id)
    })
  return {
    webhookId: [webhook.id],
    deliveryId: await idsOf(`webhooks/${webhook.id}/deliveries`),
    auditEventId: await idsOf('audit-events'),
  }
}
