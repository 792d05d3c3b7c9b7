import { stopServers } from './global-setup.ts'

/** Called by Jest once per run: stops what the setup started. */
export default async function teardown(): Promise<void> {
  await stopServers.current?.()
}
