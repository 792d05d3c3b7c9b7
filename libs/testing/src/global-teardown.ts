import { stopServers } from './global-setup.ts'

/** Called by Jest once per run: stops the servers that the setup started. */
export default async function teardown(): Promise<void> {
  await stopServers.current?.()
}
