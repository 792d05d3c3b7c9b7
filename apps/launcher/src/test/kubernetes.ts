import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { parse, parseAllDocuments } from 'yaml'

/** The checkout. */
export const root = join(import.meta.dirname, '../../../..')

/** Labels that pods need to have. */
export interface Selector {
  matchLabels?: Record<string, string>
  matchExpressions?: { key: string; operator: string; values: string[] }[]
}

interface Peer {
  podSelector?: Selector
  namespaceSelector?: Selector
  ipBlock?: { cidr: string }
}
interface Rule {
  from?: Peer[]
  to?: Peer[]
  ports?: { port: number }[]
}
interface PodTemplate {
  /** Absent in a part. */
  metadata?: { labels: Record<string, string> }
  spec: { containers: { image?: string }[]; initContainers?: { image?: string }[] }
}

/** An object of Kubernetes, with what tests look at. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  spec: {
    template?: PodTemplate
    jobTemplate?: { spec: { template: PodTemplate } }
    podSelector: Selector
    ingress?: Rule[]
    egress?: Rule[]
    groups?: unknown
  }
}

/** The objects of a YAML text; a key that is there twice throws. */
export function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text).map(document => {
    if (document.errors[0]) throw document.errors[0]
    return document.toJS() as Manifest
  })
}

/** Every file below `k8s` that holds objects or parts of them, with its objects; kustomizations and tests of rules are none. */
export async function manifestFiles(): Promise<{ path: string; manifests: Manifest[] }[]> {
  const folder = join(root, 'k8s')
  const paths = (await readdir(folder, { recursive: true })).filter(path => path.endsWith('.yaml')).toSorted()
  const read = async (path: string) => {
    const text = await readFile(join(folder, path), 'utf8')
    return { path, manifests: manifestsOf(text).filter(({ kind }) => kind && !/^Kustomization|^Component/.test(kind)) }
  }
  return (await Promise.all(paths.map(read))).filter(({ manifests }) => manifests.length > 0)
}

/** The manifests that `kubectl kustomize` builds from a folder; undefined without kubectl. */
export async function built(folder: string): Promise<Manifest[] | undefined> {
  const result = promisify(execFile)('kubectl', ['kustomize', folder], { maxBuffer: 64 * 1024 * 1024 })
  const output = await result.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  return output && manifestsOf(output.stdout)
}

/** The parsed YAML file of the checkout. */
export async function yamlFile<T>(path: string): Promise<T> {
  return parse(await readFile(join(root, path), 'utf8')) as T
}

const modules: Record<string, string> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'batch/v1': 'batch/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
}
/** Kinds of operators, which Kubernetes itself does not know. */
export const operatorKinds = [
  'keda.sh/v1alpha1 ScaledObject',
  'monitoring.coreos.com/v1 PodMonitor',
  'monitoring.coreos.com/v1 PrometheusRule',
  'postgresql.cnpg.io/v1 Cluster',
  'postgresql.cnpg.io/v1 Database',
]

const part = `type Part<T> = T extends readonly (infer E)[] ? Part<E>[] : T extends object ? { [K in keyof T]?: Part<T[K]> } : T`

/**
 * Finds faults of objects by the types of Kubernetes 1.30: unknown fields, missing ones, values of another type. Parts, which
 * kustomize merges into objects, may lack fields.
 */
export function typeFaults(manifests: Manifest[], { areParts = false } = {}): string[] {
  const coreManifests = manifests.filter(({ apiVersion, kind }) => !operatorKinds.includes(`${apiVersion} ${kind}`))
  const lines = coreManifests.map(({ apiVersion, kind, ...rest }, index) => {
    const type = `import('kubernetes-types/${modules[apiVersion]}').${kind}`
    return `export const object${index}: ${areParts ? `Part<${type}>` : type} = ${JSON.stringify({ apiVersion, kind, ...rest })}`
  })
  const file = join(root, 'apps/launcher/src/objects.ts')
  const host = ts.createCompilerHost({})
  const readSource = host.getSourceFile.bind(host)
  const text = [part, ...lines].join('\n')
  host.getSourceFile = (name, ...options) =>
    name === file ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2022) : readSource(name, ...options)
  const options = { strict: true, noEmit: true, skipLibCheck: true, types: [], lib: ['lib.es2022.d.ts'] }
  const program = ts.createProgram([file], { ...options, module: ts.ModuleKind.ESNext, ...resolution }, host)
  return ts.getPreEmitDiagnostics(program).map(({ start = 0, messageText }) => {
    const { kind, metadata } = coreManifests[text.slice(0, start).split('\n').length - 2] ?? {}
    return `${kind} ${metadata?.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}

const resolution = { moduleResolution: ts.ModuleResolutionKind.Bundler }
