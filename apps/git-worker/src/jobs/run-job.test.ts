import { Failure } from '@recto/operation'
import { afterEach, describe, expect, it } from '@jest/globals'
import { ImportFailure, defaultLimits } from '@recto/repository-content'
import { ExportContent } from '@recto/repository-export'
import { aQueue, type Queue } from '../test/a-queue.ts'
import { aSetup, type Setup } from '../test/worker-setup.ts'
import { abandonJob, runJob, type JobTools } from './run-job.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of open.splice(0).reverse()) await stop()
})

/** Methods of the blob store that an import does not use. */
const unread = {
  get: () => Promise.reject(new Error('not read')),
  bytes: () => Promise.reject(new Error('not read')),
  delete: () => Promise.resolve(),
}

type Options = Parameters<typeof aSetup>[0] & { work?: object }

/** An import operation, and all log lines of the worker. */
async function aJob(
  { work = {}, ...options }: Options = {},
  tools: Partial<JobTools> = {},
): Promise<{ setup: Setup; queue: Queue; log: string[]; run: () => ReturnType<typeof runJob> }> {
  const setup = await aSetup({ change: { files: { 'README.md': '# Home' } }, ...options })
  open.push(() => setup.stop())
  const queue = aQueue({
    direction: 'import',
    attempt: 3,
    spaceId: 'space',
    organizationId: 'organization',
    url: setup.server.url('docs'),
    ref: 'refs/heads/main',
    force: false,
    known: [],
    ...work,
  })
  const log: string[] = []
  const write = (details: object, message: string) =>
    void log.push(`${message} ${JSON.stringify(details)} ${String((details as { err?: unknown }).err)}`)
  const all = {
    ...setup.tools,
    attempts: queue.attempts,
    log: { info: write, error: write },
    backoffMs: [1, 1],
    ...tools,
  }
  return { setup, queue, log, run: () => runJob(all, { operationId: 'operation' }) }
}

describe('Jobs', () => {
  it('A job reports its stages and submits the manifest', async () => {
    const { setup, queue, run } = await aJob()
    expect(await run()).toBe('done')
    expect(queue.finished).toEqual([
      {
        operationId: 'operation',
        attempt: 3,
        commit: { oid: setup.repository.commit, message: 'Write', ref: 'refs/heads/main' },
        manifest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    expect(queue.failed).toEqual([])
    expect(queue.reports[0]).toMatchObject({ operationId: 'operation', attempt: 3, stage: 'config_check' })
  })

  it.each([
    ['is over when the operation is', 'done' as const, 'done'],
    ['comes back later when another worker has it', 'busy' as const, { retryIn: expect.any(Number) }],
  ])('A job %s', async (_title, state, outcome) => {
    const { setup } = await aJob()
    const queue = aQueue(state)
    expect(
      await runJob(
        { ...setup.tools, attempts: queue.attempts, log: { info: () => undefined, error: () => undefined } },
        { operationId: 'o' },
      ),
    ).toEqual(outcome)
    expect(setup.server.requests).toEqual([])
  })

  it('A job stops without a report when its lease is lost', async () => {
    const { setup, queue, run } = await aJob({}, { heartbeatMs: 5 })
    setup.server.pause()
    queue.isHeld = () => false
    expect(await run()).toBe('done')
    expect([queue.finished, queue.failed]).toEqual([[], []])
    setup.server.resume()
  })

  it('A job whose lease is lost at its end does not submit its result', async () => {
    const { queue, run } = await aJob()
    queue.isHeld = ({ stage }) => stage !== 'finalize'
    expect(await run()).toBe('done')
    expect([queue.finished, queue.failed]).toEqual([[], []])
  })

  it('A job returns the operation to the queue when the worker stops', async () => {
    const stopping = new AbortController()
    const { setup, queue, run } = await aJob({}, { signal: stopping.signal })
    setup.server.pause()
    const running = run()
    stopping.abort(new Error('stop'))
    expect(await running).toEqual({ retryIn: expect.any(Number) })
    expect(queue.failed).toMatchObject([
      { retry: true, error: { code: 'internal', message: 'The worker was stopped' } },
    ])
    setup.server.resume()
  })

  it('A job is redelivered when the queue does not respond', async () => {
    const { setup } = await aJob()
    const queue = aQueue(() => Promise.reject(new Failure('unavailable', 'no responders')))
    await expect(
      runJob(
        { ...setup.tools, attempts: queue.attempts, log: { info: () => undefined, error: () => undefined } },
        { operationId: 'o' },
      ),
    ).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('Failures', () => {
  it.each([
    ['branch_not_found', { work: { ref: 'refs/heads/nope' } }],
    ['unresolvable', { work: { url: 'http://does-not-exist.invalid/docs.git' } }],
    ['refused_address', { allow: '10.0.0.0/8' }],
    ['authentication_failed', { auth: { username: 'u', password: 'p' } }],
    ['invalid_configuration', { change: { files: { '.gitbook.yaml': 'root: [' } } }],
  ])('The failure %s ends the operation at the first try', async (code, options) => {
    const { setup, queue, run } = await aJob(options)
    expect(await run()).toBe('done')
    expect(queue.failed).toMatchObject([{ operationId: 'operation', attempt: 3, retry: false, error: { code } }])
    expect(setup.server.requests.length).toBeLessThanOrEqual(2)
  })

  it('A failure that is temporary is retried up to three attempts', async () => {
    const { setup, queue, run } = await aJob({ change: { files: { 'README.md': 'x'.repeat(100) } } })
    setup.server.cutPacks(10)
    expect(await run()).toBe('done')
    expect(setup.server.requests.filter(({ method }) => method === 'POST')).toHaveLength(3)
    expect(queue.failed).toMatchObject([{ retry: false, error: { code: 'unreachable' } }])
    setup.server.resume()
    expect(await run()).toBe('done')
    expect(queue.finished).toHaveLength(1)
  })

  it('A failure by timeout is reported at once, without further retries', async () => {
    const { setup, queue, run } = await aJob({}, { limits: { ...defaultLimits, jobTimeoutMs: 100 } })
    setup.server.pause()
    expect(await run()).toBe('done')
    expect(queue.failed).toMatchObject([
      { retry: false, error: { code: 'timeout', message: 'The import took longer than the limit of 0.1 seconds' } },
    ])
    expect(setup.server.requests.length).toBeLessThanOrEqual(1)
    setup.server.resume()
  })

  it('A failure that is internal hides the cause from the user and logs it', async () => {
    const blobs = { ...unread, put: () => Promise.reject(new Error('disk /var/secret-place is full')) }
    const { queue, log, run } = await aJob({}, { blobs })
    expect(await run()).toEqual({ retryIn: expect.any(Number) })
    expect(queue.failed).toMatchObject([
      { retry: true, error: { code: 'internal', message: 'The import failed on our side' } },
    ])
    expect(log.join('\n')).toContain('disk /var/secret-place is full')
  })

  it('A failure never contains the credentials', async () => {
    const { queue, log, run } = await aJob({
      auth: { username: 'u', password: 'right' },
      work: { credentials: { username: 'u', password: 'wrong-secret' } },
    })
    await run()
    expect(queue.failed).toMatchObject([{ error: { code: 'authentication_failed' } }])
    expect(JSON.stringify([queue.failed, queue.reports]) + log.join('')).not.toContain('wrong-secret')
  })

  it('The report of a failure includes the warnings so far, up to the message size limit', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`p${at}.md`, '---\n- x\n---\n']))
    const { queue, run } = await aJob(
      { change: { files } },
      {
        blobs: {
          ...unread,
          put: bytes =>
            bytes.length > 1_000 ? Promise.reject(new Error('no')) : Promise.resolve({ hash: '0'.repeat(64), size: 1 }),
        },
      },
    )
    await run()
    expect(queue.failed[0]?.warnings).toHaveLength(201)
    expect(queue.failed[0]?.warnings.at(-1)?.message).toBe('There are 100 more warnings')
  })

  it('A failure with long paths is reported in one message', async () => {
    const folder = Array.from({ length: 15 }, (_, at) => `${at}é`.padEnd(120, '\u{1f600}')).join('/')
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${folder}/p${at}.md`, '---\n- x\n---\n']))
    const blobs = {
      ...unread,
      put: () => Promise.reject(new ImportFailure('too_large', folder, { path: folder.repeat(3) })),
    }
    const { queue, run } = await aJob({ change: { files } }, { blobs })
    await run()
    expect(queue.failed).toMatchObject([{ error: { code: 'too_large' }, warnings: expect.any(Array) }])
    expect(queue.failed[0]?.warnings.length).toBeGreaterThan(50)
    expect(queue.failed[0]?.warnings.at(-1)?.message).toMatch(/^There are \d+ more warnings$/)
    expect(Buffer.byteLength(JSON.stringify(queue.failed[0]))).toBeLessThan(300_000)
    expect(JSON.stringify(queue.failed[0])).not.toMatch(/\\u(d[89a-f]|0000)/)
  })
})

describe('Exports', () => {
  function aWork(): object {
    const nothing = { pages: [], files: [], reusableContents: [], variables: {}, redirects: {} }
    const now = { wasInRepository: false, ...nothing }
    const content = ExportContent.parse({ version: 1, isSameBranch: false, now })
    const person = { name: 'Ada', email: 'ada@example.com' }
    const exportRequest = { revision: 'exported', content, message: 'Export', author: person, committer: person }
    return { direction: 'export', export: exportRequest }
  }

  it('An export reports its commit', async () => {
    const { queue, run } = await aJob()
    Object.assign(queue.work, aWork())
    expect(await run()).toBe('done')
    expect(queue.exported).toEqual([
      {
        operationId: 'operation',
        attempt: 3,
        revision: 'exported',
        isPartial: true,
        commit: { oid: expect.stringMatching(/^[0-9a-f]{40}$/), message: 'Export', createdByService: true },
        manifest: expect.stringMatching(/^[0-9a-f]{64}$/),
        warnings: [],
      },
    ])
    expect([queue.finished, queue.failed]).toEqual([[], []])
  })

  it('The error of a failed export says that it was an export', async () => {
    const { queue, run } = await aJob()
    Object.assign(queue.work, aWork(), { export: undefined })
    expect(await run()).toEqual({ retryIn: expect.any(Number) })
    expect(queue.failed).toMatchObject([{ error: { message: 'The content to export is gone' } }])
    expect(queue.exported).toEqual([])
  })
})

describe('Abandoned jobs', () => {
  const run = {
    direction: 'import' as const,
    attempt: 7,
    spaceId: 's',
    organizationId: 'organization',
    url: 'http://127.0.0.1/x',
    ref: 'refs/heads/main',
    force: false,
    known: [],
  }

  it('A job over the delivery limit ends its operation, with the reason', async () => {
    const queue = aQueue(run)
    await abandonJob(queue, { operationId: 'o' })
    expect(queue.failed).toEqual([
      {
        operationId: 'o',
        attempt: 7,
        retry: false,
        warnings: [],
        error: { code: 'internal', message: expect.stringContaining('no worker completed it') },
      },
    ])
  })

  it.each(['busy', 'done'] as const)(
    'A job over the delivery limit does not change an operation that is %s',
    async state => {
      const queue = aQueue(state)
      await abandonJob(queue, { operationId: 'o' })
      expect(queue.failed).toEqual([])
    },
  )
})
