import startServers, { stopServers } from '@recto/testing/global-setup'
import { offerSharedStack } from './shared-stack.ts'

/** Called by Jest once per run: starts PostgreSQL, and offers the shared stack. The global teardown of libs/testing stops both. */
export default async function setup(): Promise<void> {
  await startServers()
  const endSharedStack = await offerSharedStack()
  const endServers = stopServers.current
  stopServers.current = async () => {
    try {
      await endSharedStack()
    } finally {
      await endServers?.()
    }
  }
}
