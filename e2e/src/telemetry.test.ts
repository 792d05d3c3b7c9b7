import { randomBytes } from 'node:crypto'
import {
  anOtlpEndpoint,
  aGitServer,
  aRepository,
  eventually,
  traceText,
  type OtlpEndpoint,
  type OtlpProtocol,
  type SentSpan,
} from '@recto/testing'
import { afterEach, expect, it } from '@jest/globals'
import { printTraces } from './config.ts'
import { manual } from './fixtures/manual.ts'
import { expressions, samplesOf, unknownNames, type Sample } from './monitoring.ts'
import { aMember, anOrganization, sendOk } from './people.ts'
import { healthUrlOf, processNames } from './replicas.ts'
import { removeData, startStack, type Stack } from './stack.ts'
import { aSpace, importRepository, request } from './walk.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

/** The product, exporting to a collector at a short interval. */
async function aWatchedStack(
  protocol: OtlpProtocol,
  env: Record<string, string> = {},
): Promise<{ stack: Stack; endpoint: OtlpEndpoint }> {
  const endpoint = await anOtlpEndpoint(protocol)
  open.push(() => endpoint.stop())
  const often = { OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_METRIC_EXPORT_INTERVAL: '500' }
  const stack = await startStack({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol, ...often, ...env },
  })
  open.push(
    () => removeData(stack.dataDir),
    () => stack.stop(),
  )
  return { stack, endpoint }
}

/** The headers of a caller with a trace of its own, and the id of that trace. */
function aTrace(format: 'w3c' | 'b3'): { traceId: string; spanId: string; headers: Record<string, string> } {
  const traceId = randomBytes(16).toString('hex')
  const spanId = randomBytes(8).toString('hex')
  return {
    traceId,
    spanId,
    headers: format === 'b3' ? { b3: `${traceId}-${spanId}-1` } : { traceparent: `00-${traceId}-${spanId}-01` },
  }
}

const serviceOf = ({ resource }: SentSpan) => resource['service.name']

/** The spans of a trace from the first on: `gateway createSpace server`. */
function pathsOf(spans: SentSpan[]): string[] {
  const nameOf = ({ name, kind, ...span }: SentSpan) => `${String(serviceOf({ name, kind, ...span }))} ${name} ${kind}`
  const pathOf = (span: SentSpan): string => {
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
    return parent ? `${pathOf(parent)} > ${nameOf(span)}` : nameOf(span)
  }
  return spans.map(pathOf)
}

function show(title: string, spans: SentSpan[]): void {
  if (printTraces) console.warn(`\n${title}\n${traceText(spans)}\n`)
}

const inGateway = 'gateway createSpace server'
const inContent = `${inGateway} > gateway createSpace client > content createSpace server`
const inIdentity = `${inGateway} > gateway resolveToken client > identity resolveToken server`
const query = (path: string, service: string) =>
  expect.stringMatching(`^${path} > ${service} pg\\.query:\\w+ ${service} client$`)

it.each([
  ['http/protobuf', 'w3c', {}],
  ['http/json', 'b3', { OTEL_PROPAGATORS: 'b3' }],
  ['grpc', 'w3c', {}],
] as const)(
  'over %s a request is one trace (%s) through gateway, bus, services and databases, and is counted',
  async (protocol, format, env) => {
    const { stack, endpoint } = await aWatchedStack(protocol, env)
    const organization = await anOrganization(stack)
    // An unused token: the gateway has to look it up in identity.
    const { token } = await request<{ token: string }>(stack, 'POST', `/users/${organization.admin.id}/tokens`, {
      name: 'new',
    })
    const { traceId, spanId, headers } = aTrace(format)
    const reply = await fetch(`${stack.url}/v1/orgs/${organization.id}/spaces`, {
      method: 'POST',
      body: JSON.stringify({ title: 'Manual' }),
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    expect(reply.status).toBe(201)
    const spans = () => endpoint.spans.filter(span => span.traceId === traceId)
    await eventually(() =>
      expect(pathsOf(spans())).toEqual(
        expect.arrayContaining([
          inGateway,
          inIdentity,
          query(inIdentity, 'identity'),
          inContent,
          query(inContent, 'content'),
        ]),
      ),
    )
    show(`POST /v1/orgs/{organizationId}/spaces over ${protocol}`, spans())
    const first = spans().find(span => span.parentSpanId === spanId)
    const http = {
      'http.request.method': 'POST',
      'http.route': '/v1/orgs/{organizationId}/spaces',
      'http.response.status_code': 201,
      'url.path': `/v1/orgs/${organization.id}/spaces`,
    }
    expect(first).toMatchObject({ name: 'createSpace', kind: 'server', isFailed: false, attributes: http })
    // Each process sends its spans when it likes: that of a consumer may come before that of what was published.
    await eventually(() => {
      const spanIds = new Set([spanId, ...spans().map(span => span.spanId)])
      expect(spans().filter(span => !spanIds.has(span.parentSpanId))).toEqual([])
    })
    const taken = spans().find(span => span.name === 'createSpace' && serviceOf(span) === 'content')
    expect(taken?.attributes).toMatchObject({
      'messaging.system': 'nats',
      'messaging.destination.name': 'api.content.createSpace',
      'messaging.operation.type': 'process',
      'messaging.consumer.group.name': 'content',
    })
    const counted = (service: string) =>
      endpoint.metrics
        .filter(({ name, resource }) => name === 'operations_total' && resource['service.name'] === service)
        .flatMap(({ points }) => points)
    for (const service of ['gateway', 'content']) {
      await eventually(() =>
        expect(counted(service)).toContainEqual({ attributes: { operation: 'createSpace' }, value: 1 }),
      )
    }
    const senders = () =>
      new Set(
        endpoint.metrics.map(
          ({ resource }) => `${String(resource['service.namespace'])} ${String(resource['service.name'])}`,
        ),
      )
    await eventually(() =>
      expect([...senders()].toSorted()).toEqual([
        'recto content',
        'recto events',
        'recto gateway',
        'recto git-worker',
        'recto identity',
        'recto openapi-specs',
        'recto publishing',
      ]),
    )
  },
)

/** Reads `/metrics` of all processes. */
async function scrape(stack: Stack): Promise<Sample[]> {
  const texts = [...processNames, 'reader'].map(async name =>
    (await fetch(`${healthUrlOf(stack, name)}/metrics`)).text(),
  )
  return (await Promise.all(texts)).flatMap(samplesOf)
}

async function expectKnownNames(stack: Stack): Promise<void> {
  const served = await scrape(stack)
  const used = await expressions()
  expect(used.length).toBeGreaterThan(40)
  const unknown = used.map(({ place, expression }) => ({ place, names: unknownNames(expression, served) }))
  expect(unknown.filter(({ names }) => names.length > 0)).toEqual([])
  expect(unknownNames('sum by (space) (rate(operations_total{queue="x"}[5m])) / lost_total', served)).toEqual([
    '{"metric":"operations_total","labels":{"queue":"x"}}',
    '{"metric":"lost_total","labels":{}}',
    'space',
  ])
}

it('a job and an event are in the trace of their request, and what alerts and dashboards name is served', async () => {
  const repository = await aRepository({ files: manual })
  const git = await aGitServer({ repositories: { manual: repository.path } })
  open.push(
    () => repository.remove(),
    () => git.stop(),
  )
  const { stack, endpoint } = await aWatchedStack('http/protobuf', {
    OTEL_METRICS_EXPORTER: 'none',
    READER_PORT: '0',
    READER_URL: 'https://reader.test',
    READER_SECRET: 'secret-of-the-reader'.repeat(2),
  })
  const traceOf = (name: string) => {
    const first = endpoint.spans.find(span => span.name === name && span.parentSpanId === '')
    return endpoint.spans.filter(({ traceId }) => traceId === first?.traceId)
  }
  const callSpans = (operation: string, service: string) =>
    `gateway ${operation} server > gateway ${operation} client > ${service} ${operation} server`

  const { spaceId } = await aSpace(stack)
  expect(await importRepository(stack, spaceId, git.url('manual'))).toMatchObject({ state: 'success' })
  const job = `${callSpans('importGitRepository', 'git-worker')} > git-worker publish jobs.git.import producer > git-worker process jobs.git.import consumer`
  const report = `${job} > git-worker applyGitOperation client > content applyGitOperation server`
  await eventually(() => expect(pathsOf(traceOf('importGitRepository'))).toEqual(expect.arrayContaining([job, report])))
  const [consumer] = traceOf('importGitRepository').filter(({ name }) => name === 'process jobs.git.import')
  expect(consumer?.attributes).toMatchObject({
    'messaging.message.id': expect.any(String),
    'messaging.consumer.group.name': 'git-worker',
  })
  show('POST /v1/spaces/{spaceId}/git/import', traceOf('importGitRepository'))

  const organization = await anOrganization(stack)
  const path = `/orgs/${organization.id}/webhooks`
  await sendOk(stack, organization.admin, { method: 'POST', path, body: { url: 'http://127.0.0.1:9/fails' } })
  const guest = await aMember(stack, organization, null)
  await organization.admin.client.orgs.removeMemberFromOrganizationById(organization.id, guest.id)
  const remove = 'removeMemberFromOrganizationById'
  const event = 'events.identity.member.removed'
  const handled = `${callSpans(remove, 'identity')} > identity publish ${event} producer > content process ${event} consumer`
  await eventually(() => expect(pathsOf(traceOf(remove))).toContain(handled))
  show('DELETE /v1/orgs/{organizationId}/members/{userId}', traceOf(remove))
  expect(endpoint.metrics).toEqual([])

  expect((await fetch(`${stack.url}/v1/spaces/none`)).status).toBe(401)
  // The endpoint has failed once the webhook was tried.
  await eventually(() => expectKnownNames(stack))
})
