import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { eventually, freePort } from '@recto/testing'
import { cleanEnvironment } from './config.ts'
import type { Stack } from './stack.ts'

const program = fileURLToPath(new URL('../../dist/apps/gateway/main.js', import.meta.url))

/** Starts another gateway of a running stack, as on another machine; `settings` are its own. */
export async function aSecondGateway(
  { dataDir }: Stack,
  settings: Record<string, string> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
    signingSecret: string
    passwords: Record<string, { nats: string }>
  }
  const natsPort = /^listen: "[^"]*:(\d+)"/m.exec(readFileSync(join(dataDir, 'nats/nats.conf'), 'utf8'))?.[1]
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...cleanEnvironment(),
    ...settings,
    ...{
      PORT: String(port),
      PUBLIC_URL: url,
      SIGNING_SECRET: secrets.signingSecret,
      BLOB_URL: pathToFileURL(join(dataDir, 'blobs')).href,
    },
    NATS_URL: `nats://gateway:${secrets.passwords.gateway?.nats}@127.0.0.1:${natsPort}`,
  }
  const gateway = spawn(process.execPath, [program], { env, stdio: 'ignore' })
  const gone = once(gateway, 'exit')
  await eventually(async () => {
    if ((await fetch(`${url}/readyz`)).status !== 200) throw new Error('not ready')
  })
  return {
    url,
    stop: async () => {
      gateway.kill('SIGTERM')
      await gone
    },
  }
}
