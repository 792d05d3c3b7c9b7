import type * as Library from 'testcontainers'
import { natsConfig, type NatsUser } from '@recto/embedded'
import { config, withoutRyuk } from './config.ts'

interface Started {
  url: string
  stop(): Promise<void>
}

interface StartedNats {
  port: number
  host: string
  stop(): Promise<void>
}

/** Loads Testcontainers on first use. Throws an `Error` with the reason when no container runtime responds. */
export async function containerRuntime(): Promise<typeof Library> {
  withoutRyuk()
  const library = await import('testcontainers')
  await library.getContainerRuntimeClient().catch((cause: unknown) => {
    throw new Error(
      'TEST_CONTAINERS=1 asks for containers, but no container runtime answers: start Docker or unset it',
      { cause },
    )
  })
  return library
}

/** Starts the PostgreSQL image for one run. */
export async function startPostgresContainer(): Promise<Started> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql')
  const container = await new PostgreSqlContainer(config.postgresImage)
    .withUsername('postgres')
    .withDatabase('postgres')
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=200'])
    .start()
    .catch(missingImage(config.postgresImage))
  return { url: container.getConnectionUri(), stop: async () => void (await container.stop()) }
}

/** Starts the nats-server image with these users, for one test file. */
export async function startNatsContainer(users: NatsUser[], maxPayload?: number): Promise<StartedNats> {
  const { GenericContainer, Wait } = await containerRuntime()
  const target = '/etc/recto-nats.conf'
  const content = natsConfig({
    host: '0.0.0.0',
    port: 4222,
    storeDir: '/tmp/jetstream',
    pidFile: '/tmp/nats.pid',
    users,
    maxPayload,
  })
  const container = await new GenericContainer(config.natsImage)
    .withCopyContentToContainer([{ content, target }])
    .withCommand(['-c', target])
    .withExposedPorts(4222)
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
    .start()
    .catch(missingImage(config.natsImage))
  return {
    host: container.getHost(),
    port: container.getMappedPort(4222),
    stop: async () => void (await container.stop()),
  }
}

function missingImage(image: string): (cause: unknown) => never {
  return cause => {
    throw new Error(`The container image ${image} did not start: is it there?`, { cause })
  }
}
