import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeFolder } from '@recto/testing'
import { expect, test } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'
import { writeContainerFiles } from './containers.ts'
import { processes, type ProcessRow } from './processes.ts'

const root = join(import.meta.dirname, '../../..')

interface Compose {
  services: Record<
    string,
    {
      image: string
      command?: string[]
      environment?: Record<string, string | null>
      volumes?: string[]
      deploy?: { replicas: number }
      profiles?: string[]
    }
  >
  volumes: Record<string, null>
}
const compose = async (file: string) =>
  parse((await readFile(join(root, file), 'utf8')).replace('!override', ''), { merge: true }) as Compose

test('docker-compose.yml runs every process with its own secrets only, and docker-compose.two.yml two of each', async () => {
  const one = await compose('docker-compose.yml')
  const two = await compose('docker-compose.two.yml')
  const names = processes.map(({ name }) => name)
  for (const { name, settings } of processes) {
    const service = one.services[name]
    expect(service?.command).toEqual([`${name}/main.js`])
    const mounted = service?.volumes ?? []
    expect(mounted.filter(volume => volume.includes('-secrets:'))).toEqual([`${name}-secrets:/run/recto:ro`])
    expect(mounted.some(volume => volume.startsWith('blobs:'))).toBe(settings.includes('BLOB_URL'))
  }
  expect(one.services.setup?.volumes).toEqual(
    expect.arrayContaining(
      ['setup', 'postgres', 'nats', 'backup', 's3', ...names].map(name => `${name}-secrets:/secrets/${name}`),
    ),
  )
  expect(Object.keys(two.services).toSorted()).toEqual(names.toSorted())
  expect(Object.values(two.services).map(({ deploy }) => deploy?.replicas)).toEqual(names.map(() => 2))
})

test('docker-compose.yml has backups, a local S3 and monitoring as profiles, and pins all images', async () => {
  const { services } = await compose('docker-compose.yml')
  const profiles = Object.entries(services).flatMap(([name, { profiles: of = [] }]) => of.map(one => `${one} ${name}`))
  expect(profiles.toSorted()).toEqual([
    'backup backup',
    'observability collector',
    'observability grafana',
    'observability prometheus',
    's3 s3',
  ])
  for (const { image } of Object.values(services)) expect(image).toMatch(/^\$\{\w+:-[\w./-]+:(local|v?\d[\w.-]+)\}$/)
  expect(services.backup?.volumes).toContain('backup-secrets:/run/recto:ro')
  const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.filter(volume => volume.startsWith('./')),
  )
  for (const volume of mounted) await stat(join(root, volume.split(':')[0] ?? ''))
  expect(mounted).toContain('./k8s/components/monitoring/rules.yaml:/etc/prometheus/rules.yaml:ro')
})

test('docker-compose.yml hands every setting on to the processes that read it, and no other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recto-settings-'))
  await writeContainerFiles({ folder }, processes)
  const { services } = await compose('docker-compose.yml')
  for (const row of processes) {
    const { name } = row
    const read = await settingsOf(row)
    const files = await readdir(join(folder, name))
    const variables = Object.keys(services[name]?.environment ?? {})
    const missing = read.filter(setting => ![...variables, ...files, ...fixed].includes(setting))
    const unread = variables.filter(setting => !read.includes(setting) && !/^(OTEL|AWS)_/.test(setting))
    expect({ name, missing, unread }).toEqual({ name, missing: [], unread: [] })
  }
  await removeFolder(folder)
})

/** Settings that an image decides, or its network. */
const fixed = ['BUILD', 'HEALTH_HOST']

/** The settings that a process reads: the keys of its schema, and of those that this one extends. */
async function settingsOf({ name, hasDatabase, subjects }: ProcessRow) {
  const [common = '', bus = '', database = ''] = keysByPart(
    await readFile(join(root, 'libs/service/src/config.ts'), 'utf8'),
  )
  const own = keysByPart(await readFile(join(root, 'apps', name, 'src', configOf(name)), 'utf8'))
  return [common, subjects ? bus : '', hasDatabase ? database : '', ...own].flatMap(keys =>
    keys.split(' ').filter(Boolean),
  )
}

/** The keys of each object of a file, joined by spaces. */
const keysByPart = (source: string) =>
  source
    .split(/(?:z\.object|\.extend)\(\{/)
    .slice(1)
    .map(part => [...part.matchAll(/^ +([A-Z][A-Z\d_]+): /gm)].map(([, key]) => key).join(' '))

const configOf = (name: string) => (['gateway', 'reader'].includes(name) ? 'config.ts' : 'shared/config.ts')

interface Resource {
  kind: string
  metadata: { name: string }
  spec: {
    template: {
      metadata: { labels: Record<string, string> }
      spec: { containers: Part[]; volumes: Volume[]; initContainers: Part[] }
    }
    podSelector: { matchExpressions?: { values: string[] }[] }
  }
}
type Part = { name: string; args: string[] }
type Volume = { secret?: { secretName: string } }
const resources = async (file: string) =>
  parseAllDocuments(await readFile(join(root, 'k8s/base', file), 'utf8')).map(each => each.toJS() as Resource)

test('k8s runs every process with its own secrets, and lets it reach what it needs and nothing else', async () => {
  for (const { name, hasDatabase, settings } of processes) {
    const [deployment] = await resources(`${name}.yaml`)
    const { metadata, spec } = deployment?.spec.template ?? {}
    expect(spec?.containers.map(({ args }) => args)).toEqual([[`${name}/main.js`]])
    expect(spec?.volumes.flatMap(({ secret }) => secret?.secretName ?? [])).toEqual([`recto-${name}`])
    const source = await readFile(join(root, 'apps', name, 'src', configOf(name)), 'utf8')
    const reaches = {
      'recto.dev/database': hasDatabase === true,
      'recto.dev/blobs': settings.includes('BLOB_URL'),
      'recto.dev/outgoing': /OUTGOING_ALLOW|READER_URL/.test(source),
    }
    const labels = Object.entries(reaches)
      .filter(([, does]) => does)
      .map(([label]) => [label, 'true'])
    expect(metadata?.labels).toEqual({ 'recto.dev/process': name, ...Object.fromEntries(labels) })
  }
  const names = processes.flatMap(({ name, subjects }) => (subjects ? [name] : [])).toSorted()
  const bus = (await resources('network-policies.yaml')).find(({ metadata }) => metadata.name === 'bus')
  expect(bus?.spec.podSelector.matchExpressions?.[0]?.values.toSorted()).toEqual(names)
  const [job] = await resources('migrate.yaml')
  const { initContainers = [], containers = [] } = job?.spec.template.spec ?? {}
  const owners = processes.filter(({ hasDatabase }) => hasDatabase).map(({ name }) => [`${name}/main.js`, 'migrate'])
  expect([...initContainers, ...containers].map(({ args }) => args)).toEqual(owners)
})

test('the files of containers hold the secrets that each needs, and stay when they are written again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recto-containers-'))
  const read = (path: string) => readFile(join(folder, path), 'utf8')
  await writeContainerFiles({ folder }, processes)
  const files = Object.fromEntries(
    await Promise.all(processes.map(async ({ name }) => [name, (await readdir(join(folder, name))).toSorted()])),
  ) as Record<string, string[]>
  expect(files).toEqual({
    identity: ['ADMIN_TOKEN', 'DATABASE_URL_IDENTITY', 'NATS_URL', 'SIGNING_SECRET'],
    content: ['DATABASE_URL_CONTENT', 'NATS_URL', 'SIGNING_SECRET', 'aws-credentials'],
    publishing: ['DATABASE_URL_PUBLISHING', 'NATS_URL', 'SIGNING_SECRET'],
    'openapi-specs': ['DATABASE_URL_OPENAPI_SPECS', 'NATS_URL', 'SIGNING_SECRET', 'aws-credentials'],
    events: ['DATABASE_URL_EVENTS', 'NATS_URL', 'SIGNING_SECRET'],
    'git-worker': ['DATABASE_URL_GIT_WORKER', 'ENCRYPTION_KEY', 'NATS_URL', 'SIGNING_SECRET', 'aws-credentials'],
    gateway: ['NATS_URL', 'SIGNING_SECRET', 'aws-credentials'],
    reader: [],
  })
  const databases = ['CONTENT', 'EVENTS', 'GIT_WORKER', 'IDENTITY', 'OPENAPI_SPECS', 'PUBLISHING'].map(
    name => `DATABASE_URL_${name}`,
  )
  expect((await readdir(join(folder, 'backup'))).toSorted()).toEqual([
    ...databases,
    'ENCRYPTION_KEY',
    'aws-credentials',
  ])
  expect(await read('content/aws-credentials')).toContain(await read('s3/ROOT_SECRET_KEY'))
  expect(await read('backup/DATABASE_URL_CONTENT')).toBe(await read('content/DATABASE_URL_CONTENT'))
  const token = await read('identity/ADMIN_TOKEN')
  expect(token).toMatch(/^recto_/)
  const conf = await read('nats/nats.conf')
  for (const { name } of processes.filter(({ subjects }) => subjects)) {
    expect(new URL(await read(`${name}/NATS_URL`)).username).toBe(name)
    expect(conf).toContain(`user: "${name}"`)
  }
  expect(conf).toContain(await read('nats/users.conf'))
  expect((await stat(join(folder, 'setup'))).mode & 0o077).toBe(0)
  await writeContainerFiles({ folder }, processes)
  expect([await read('identity/ADMIN_TOKEN'), await read('nats/nats.conf')]).toEqual([token, conf])
  await removeFolder(folder)
})
