import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { aChatEngine, waitLimit } from '@recto/testing'
import { askForShared, provideSharedParts } from './config.ts'
import {
  absentEngine,
  installationAt,
  preparedFolder,
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
}

/** The secret of the shared installation with a reader. */
export const readerSecret = 'a secret of the reader'

/** Settings of the shared installation with a reader; it has no engine. */
const settingsWithReader = { ...settings, READER_PORT: '0', READER_SECRET: readerSecret }

/** An installation whose reader listens. */
export interface InstallationWithReader extends Installation {
  reader: string
}

/**
 * The installation that files share which only use the product: they make organizations of their own, and stop and configure nothing. The
 * first that asks has it started; it ends with the run.
 */
export async function sharedStack(): Promise<Installation> {
  return installationAt(await askForShared<Place>('/'))
}

/** The installation with a reader that files share under the same terms. */
export async function sharedStackWithReader(): Promise<InstallationWithReader> {
  const place = await askForShared<Place & { reader: string }>('/reader')
  return { ...installationAt(place), reader: place.reader }
}

/** Where the reader of a stack listens; '' without one. */
export const readerOf = ({ output }: Stack): string =>
  /Published sites are at (http:\/\/localhost:\d+)/.exec(output)?.[1] ?? ''

/** Lets the workers of this run ask for the shared stacks, and for the prepared folder; returns what ends them. */
export async function offerSharedStack(): Promise<() => Promise<void>> {
  const engine = await aChatEngine()
  const asking = { ASK_ENGINE_URL: engine.url, ASK_ENGINE_MODEL: 'a-model', ASK_CONCURRENCY: '1000' }
  const environments: Record<string, Record<string, string>> = {
    '/': { ...settings, ...absentEngine, ...asking, READER_URL: 'https://reader.test' },
    '/reader': settingsWithReader,
  }
  const starts = new Map<string, Promise<Stack>>()
  const startedAt = (path: string) => {
    const started = starts.get(path) ?? startStack({ env: environments[path] ?? {} })
    starts.set(path, started)
    return started
  }
  let prepared: Promise<string> | undefined
  const answers = async (path: string) => {
    if (path === preparedFolder) return { dataDir: await (prepared ??= prepareFolder()) }
    const stack = await startedAt(path)
    const { url, token, dataDir } = stack
    return { url, token, dataDir, reader: readerOf(stack) }
  }
  // Idle connections stay open: a worker that loads packages for seconds does not notice that one was closed, and asks on it.
  const server = createServer({ keepAliveTimeout: 0 }, ({ url: path = '/' }, response) => {
    answers(path).then(
      answer => response.end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  provideSharedParts(await listening(server))
  return async () => {
    server.close()
    server.closeAllConnections()
    await engine.stop()
    await Promise.all([...starts.values()].map(end))
    if (prepared) await removeData(await prepared)
  }
}

/** A data folder as the first start of an installation leaves it when it is stopped at once. */
async function prepareFolder(): Promise<string> {
  const stack = await startStack({ isFirstStart: true })
  await stack.stop()
  await rm(join(stack.dataDir, 'logs'), { recursive: true })
  return stack.dataDir
}

async function end(started: Promise<Stack>): Promise<void> {
  const stack = await started.catch(() => undefined)
  if (!stack) return
  await stack.stop()
  await removeData(stack.dataDir)
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
