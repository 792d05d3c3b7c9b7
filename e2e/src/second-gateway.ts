import { freePort } from '@recto/testing'
import { aReplica } from './replicas.ts'
import type { Installation } from './stack.ts'

/** Starts another gateway of a running stack, as on another machine with an address of its own; `settings` are its own. */
export async function aSecondGateway(
  stack: Installation,
  settings: Record<string, string> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const port = String(await freePort())
  return aReplica(stack, 'gateway', { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, ...settings })
}
