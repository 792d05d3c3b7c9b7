import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { provideSharedStack, sharedStackUrl } from './config.ts'
import { aChatEngine, waitLimit } from '@recto/testing'
import {
  absentEngine,
  installationAt,
  removeData,
  startStack,
  type Installation,
  type Place,
  type Stack,
} from './stack.ts'

/** No limit stops a file because of the requests of others, nor because the machine is slow. */
const settings = {
  REQUEST_TIMEOUT: String(waitLimit),
  CALL_TIMEOUT: String(waitLimit),
  DATABASE_WAIT: String(waitLimit),
  RATE_LIMIT: '1000000',
  REFUSAL_LIMIT: '1000000',
  SIGN_IN_LIMIT: '1000000',
  READER_URL: 'https://reader.test',
  ...absentEngine,
}

/**
 * The installation that files share which only use the product: they make organizations of their own, and stop and configure nothing. The
 * first that asks has it started; it ends with the run.
 */
export async function sharedStack(): Promise<Installation> {
  const url = sharedStackUrl()
  if (url === undefined) throw new Error('There is no shared stack: run this suite with jest/e2e.config.mjs')
  const reply = await fetch(url)
  if (!reply.ok) throw new Error(await reply.text())
  return installationAt((await reply.json()) as Place)
}

/** Lets the workers of this run ask for the shared stack; returns what ends it. */
export async function offerSharedStack(): Promise<() => Promise<void>> {
  let started: Promise<Stack> | undefined
  const engine = await aChatEngine()
  const env = { ...settings, ASK_ENGINE_URL: engine.url, ASK_ENGINE_MODEL: 'a-model', ASK_CONCURRENCY: '1000' }
  const server = createServer((_request, response) => {
    started ??= startStack({ env })
    started.then(
      ({ url, token, dataDir }) => response.end(JSON.stringify({ url, token, dataDir })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  provideSharedStack(await listening(server))
  return async () => {
    server.close()
    server.closeAllConnections()
    await engine.stop()
    const stack = await started?.catch(() => undefined)
    if (!stack) return
    await stack.stop()
    await removeData(stack.dataDir)
  }
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
