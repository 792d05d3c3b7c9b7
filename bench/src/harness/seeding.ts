import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Bench } from './bench.ts'
import { config } from './config.ts'
import { root } from './stack.ts'

/** Creates an organization with the seed command and waits until the API lists it; returns its id. */
export async function seedOrganization(
  { stack, api }: Bench,
  { members, teams }: { members: number; teams: number },
): Promise<string> {
  const env = { ...config.environment, DATA_DIR: stack.dataDir }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'scripts/recto.mjs'), 'seed', `--members=${members}`, `--teams=${teams}`],
    { env },
  )
  const organization = stdout.trim()
  for (;;) {
    const { items } = await api.get<{ items: { id: string }[] }>('/orgs')
    if (items.some(({ id }) => id === organization)) return organization
    await sleep(50)
  }
}
