import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Failure } from '@recto/operation'
import { databaseVariable, type Config } from './config.ts'
import type { Installation } from './installation.ts'

/** A command of a service, such as `migrate`. */
export interface ServiceCommand {
  service: string
  args: string[]
}

/** Settings that the configuration of a service requires, and none of its commands uses where the installation has them elsewhere. */
const unused = {
  NATS_URL: 'nats://127.0.0.1',
  PUBLIC_URL: 'http://127.0.0.1',
  BLOB_URL: 'file:///unused',
  CACHE_DIR: 'unused',
  SIGNING_SECRET: 'unused'.repeat(8),
  ENCRYPTION_KEY: 'u'.repeat(43),
}

/** Runs a command of a service with the settings of the installation and the standard streams; throws `internal` when it fails. */
export async function runServiceCommand(
  { service, args }: ServiceCommand,
  { installation, config, appsFolder }: { installation: Installation; config: Config; appsFolder: string },
): Promise<void> {
  const { databases, blobUrl, secrets } = installation
  const url = databases.find(({ name }) => name === service)?.url
  const env = {
    ...unused,
    ...(secrets && { ENCRYPTION_KEY: secrets.encryptionKey, SIGNING_SECRET: secrets.signingSecret }),
    ...config.environment,
    ...(blobUrl && { BLOB_URL: blobUrl }),
    [databaseVariable(service)]: url,
  }
  const child = spawn(process.execPath, [join(appsFolder, service, 'main.js'), ...args], { env, stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Failure('internal', `${service} ${args[0]} ended with exit code ${code}.`)
}
