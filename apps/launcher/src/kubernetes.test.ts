import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { removeFolder } from '@recto/testing'
import { describe, expect, test } from '@jest/globals'
import { built, manifestFiles, manifestsOf, operatorKinds, root, typeFaults } from './test/kubernetes.ts'
import type { Manifest, Selector } from './test/kubernetes.ts'

/** The targets that pods of a kind may reach: the arrows of the architecture, and those of operation. */
const arrows: Record<string, string[]> = {
  gateway: ['nats:4222', 'any:443'],
  identity: ['nats:4222', 'any:5432', 'public:443,80'],
  content: ['nats:4222', 'any:5432', 'any:443', 'public:443,80'],
  publishing: ['nats:4222', 'any:5432', 'public:443,80'],
  'openapi-specs': ['nats:4222', 'any:5432', 'any:443', 'public:443,80'],
  'git-worker': ['nats:4222', 'any:5432', 'any:443', 'public:443,80'],
  events: ['nats:4222', 'any:5432', 'public:443,80'],
  reader: ['gateway:3000', 'any:443'],
  nats: ['nats:6222'],
  migrate: ['any:5432'],
  backup: ['any:5432', 'any:443'],
}
const onTheBus = 'content,events,gateway,git-worker,identity,openapi-specs,publishing'
/** Who may reach pods of a kind; Prometheus reaches all. */
const reachedBy: Record<string, string[]> = {
  gateway: ['recto.dev/ingress namespaces:3000', 'reader:3000'],
  reader: ['recto.dev/ingress namespaces:3010'],
  nats: [`${onTheBus}:4222`, 'nats:6222'],
}

function matches({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Record<string, string>): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  )
}

type Rule = NonNullable<Manifest['spec']['egress']>[number]

function textOf({ from, to, ports }: Rule): string {
  const peers = (from ?? to ?? []).map(({ podSelector, namespaceSelector, ipBlock }) => {
    if (ipBlock) return 'public'
    const { matchLabels = {}, matchExpressions = [] } = podSelector ?? namespaceSelector ?? {}
    const names = matchExpressions.flatMap(({ values }) => values.toSorted()).join(',')
    if (podSelector) return names || Object.values(matchLabels).join()
    return `${Object.keys(matchLabels).join()} namespaces`
  })
  return `${[...new Set(peers)].join() || 'any'}:${ports?.map(({ port }) => port).join()}`
}

const podsOf = ({ spec }: Manifest) => spec?.template ?? spec?.jobTemplate?.spec.template

async function everything(): Promise<Manifest[]> {
  return (await manifestFiles())
    .filter(({ path }) => /^base|^components\/backup/.test(path))
    .flatMap(({ manifests }) => manifests)
}

test('network policies allow the arrows of the architecture and nothing else', async () => {
  const all = await everything()
  const policies = all.filter(({ kind }) => kind === 'NetworkPolicy')
  const templates = all.flatMap(each => podsOf(each) ?? [])
  const pods = templates.flatMap(({ metadata }) => {
    const name = metadata?.labels['recto.dev/process']
    return name === undefined ? [] : [{ name, labels: metadata?.labels ?? {} }]
  })
  const rulesOf = (labels: Record<string, string>, way: 'ingress' | 'egress') =>
    policies
      .filter(({ spec }) => matches(spec.podSelector, labels))
      .flatMap(({ spec }) => (spec[way] ?? []).map(textOf))
  const reaching = pods.map(({ name, labels }) => [name, rulesOf(labels, 'egress').toSorted()])
  expect(Object.fromEntries(reaching)).toEqual(
    Object.fromEntries(Object.entries(arrows).map(([name, to]) => [name, [...to, 'kube-dns:53,53'].toSorted()])),
  )
  const monitoring = 'recto.dev/monitoring namespaces:8080,8222'
  for (const { name, labels } of pods)
    expect([name, rulesOf(labels, 'ingress').toSorted()]).toEqual([
      name,
      [...(reachedBy[name] ?? []), monitoring].toSorted(),
    ])
  expect(policies.find(({ metadata }) => metadata.name === 'deny-all')?.spec).toEqual({
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
  })
})

describe('objects of Kubernetes', () => {
  test('in files have no unknown field, and no value of another type', async () => {
    const files = await manifestFiles()
    expect(files.length).toBeGreaterThan(20)
    expect(
      typeFaults(
        files.flatMap(({ manifests }) => manifests),
        { areParts: true },
      ),
    ).toEqual([])
  })

  test('with an unknown field, a missing one or a wrong type are found', async () => {
    const [deployment] = manifestsOf(await readFile(join(root, 'k8s/base/gateway.yaml'), 'utf8')) as [Manifest]
    const { spec, ...rest } = deployment
    const faulty = [
      { ...deployment, spec: { ...spec, replica: 2 } },
      { ...rest, spec: { template: spec.template } },
      { ...deployment, spec: { ...spec, replicas: '2' } },
    ] as unknown as Manifest[]
    expect(typeFaults(faulty)).toEqual([
      expect.stringMatching(/Deployment gateway: .*'"replica"' does not exist/),
      expect.stringMatching(/Deployment gateway: .*'selector' is missing/),
      expect.stringMatching(/Deployment gateway: .*'string' is not assignable to type 'number'/),
    ])
  })

  test.each([
    ['dev', []],
    ['production', []],
    ['production', ['monitoring', 'keda', 'cloudnative-pg']],
  ])(
    'of the overlay %s with the components %j are valid when kustomize has built them, and all images are pinned',
    async (overlay, components) => {
      await mkdir(join(root, 'dist'), { recursive: true })
      const folder = await mkdtemp(join(root, 'dist/overlay-'))
      const path = (name: string) => relative(folder, join(root, 'k8s', name))
      const all = components.map(name => path(`components/${name}`))
      await writeFile(
        join(folder, 'kustomization.yaml'),
        JSON.stringify({ resources: [path(`overlays/${overlay}`)], components: all }),
      )
      const manifests = await built(folder)
      await removeFolder(folder)
      if (!manifests) return console.warn('kubectl is not installed: what kustomize builds was not checked')
      expect(manifests.length).toBeGreaterThan(30)
      expect(typeFaults(manifests)).toEqual([])
      const kinds = manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)
      expect(operatorKinds.filter(kind => kinds.includes(kind))).toEqual(components.length > 0 ? operatorKinds : [])
      const pods = manifests.flatMap(each => podsOf(each)?.spec ?? [])
      const images = pods.flatMap(({ containers, initContainers = [] }) => [...containers, ...initContainers])
      for (const { image } of images) expect(image).toMatch(/^[\w./-]+:\d+\.\d+/)
      const ours = images.map(({ image = '' }) => image).filter(image => image.startsWith('recto:'))
      expect(new Set(ours).size).toBe(1)
    },
  )
})

test('Streams have a replica on each server of NATS, and each commit of PostgreSQL is on a second server', async () => {
  const read = async (path: string) => manifestsOf(await readFile(join(root, 'k8s', path), 'utf8'))
  const nats = (await read('base/nats.yaml')).find(({ kind }) => kind === 'StatefulSet')
  expect(await readFile(join(root, 'k8s/base/kustomization.yaml'), 'utf8')).toContain(
    `- NATS_REPLICAS=${(nats?.spec as { replicas?: number }).replicas}\n`,
  )
  const cluster = (await read('components/cloudnative-pg/cluster.yaml')).find(({ kind }) => kind === 'Cluster')
  expect(cluster?.spec).toMatchObject({ instances: 3, postgresql: { synchronous: { method: 'any', number: 1 } } })
})
