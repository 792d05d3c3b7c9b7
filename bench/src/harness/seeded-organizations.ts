import { organizationSeed, type SeededOrganization } from '@recto/testing/organizations'
import pg from 'pg'
import { Api } from './api.ts'
import { aFolder, type Bench } from './bench.ts'
import { databaseUrl, startStack, type Stack } from './stack.ts'

/** An installation of its own with organizations of equal size. */
export interface SeededInstallation {
  stack: Stack
  /** Some of its organizations, spread over all of them, with clients of their admins. */
  callers: Caller[]
  /** Bytes of the databases of identity and content. */
  bytes: { identity: number; content: number }
  /** Seconds that the copies took. */
  seconds: number
}

/** An organization, and a client in the name of its admin. */
export interface Caller extends SeededOrganization {
  api: Api
}

/** Starts an installation with so many organizations, each with a space of so many pages. */
export async function seededInstallation(
  { cleanup, print }: Bench,
  size: { organizations: number; pages: number; callers: number },
): Promise<SeededInstallation> {
  const stack = await startStack(cleanup, await aFolder(cleanup, 'organizations'))
  const identity = await databaseUrl(stack, 'postgres', 'identity')
  const content = await databaseUrl(stack, 'postgres', 'content')
  const seed = await organizationSeed({ product: stack, databases: { identity, content }, pages: size.pages })
  const started = performance.now()
  await seed.growTo(size.organizations)
  const bytes = { identity: await bytesOf(identity), content: await bytesOf(content) }
  const seconds = (performance.now() - started) / 1_000
  const described = `${size.organizations.toLocaleString('en')} organizations in ${seconds.toFixed(0)} s`
  print(`  ${described}, ${Math.round(bytes.content / 1024 / 1024)} MB in the database of content`)
  const step = Math.floor(size.organizations / size.callers)
  const callers: Caller[] = []
  for (let at = 0; at < size.callers; at++) {
    const organization = await seed.organizationAt(at * step)
    const api = new Api({ url: stack.url, token: organization.token })
    cleanup.add(async () => api.close())
    callers.push({ ...organization, api })
  }
  return { stack, callers, bytes, seconds }
}

/** Writes all of a database to the disk, and returns its size. */
async function bytesOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('checkpoint')
  const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
  await client.end()
  return Number(rows[0]?.bytes)
}
