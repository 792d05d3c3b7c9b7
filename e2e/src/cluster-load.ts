import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Person } from './people.ts'
import { isClientError } from './published-client.ts'
import { request } from './walk.ts'

/** Milliseconds between two requests of a client, and until a request that failed is repeated. */
const pause = 50
/** Answers that a request may get while servers are away; a write also that another attempt of it goes on, or has been carried out. */
const isOutage = (status: number) => status === 503 || status === 504
const isRepetition = (status: number, text: string) => status === 409 && text.includes('Idempotency-Key')
const isCarriedOut = (text: string) => text.includes('carried out')

/** A change that was sent until it was acknowledged. */
export interface Write {
  /** Each attempt has it as its key, and is a request whose id begins with it. */
  key: string
  writer: string
  spaceId: string
  /** The title of the page that is in main content afterwards. */
  title: string | undefined
  begun: number
  acknowledged: number
}

/** Where the load is: the address of the gateways, and who sends it. */
export interface LoadPlace {
  url: string
  organizationId: string
  admin: Person
  /** Spaces in which pages are written, and in which change requests are merged. */
  pageSpaces: string[]
  mergeSpaces: string[]
}

/** Writers and readers that send one request after another, and what they were answered. */
export class ClusterLoad {
  readonly writes: Write[] = []
  /** Answers to requests that failed, with their number. */
  readonly failures = new Map<string, number>()
  /** Answers that nobody should get. */
  readonly faults: string[] = []
  reads = 0
  readonly #place: LoadPlace
  readonly #running: Promise<unknown>
  #isOver = false
  #count = 0

  constructor(place: LoadPlace) {
    this.#place = place
    const { organizationId, pageSpaces, mergeSpaces } = place
    this.#running = Promise.all([
      ...pageSpaces.map(spaceId => this.#writePages(spaceId)),
      ...mergeSpaces.map(spaceId => this.#merge(spaceId)),
      ...pageSpaces.map(spaceId => this.#readPages(spaceId)),
      ...[
        '/user',
        `/orgs/${organizationId}/sites`,
        `/orgs/${organizationId}/events?limit=1`,
        `/orgs/${organizationId}/openapi`,
      ].map(path => this.#read(path, () => {})),
    ])
  }

  get writers(): number {
    return this.#place.pageSpaces.length + this.#place.mergeSpaces.length
  }

  /** Writes that began after a moment and are acknowledged, by their writer. */
  writesSince(moment: number): Map<string, Write[]> {
    return byWriter(this.writes.filter(({ begun }) => begun > moment))
  }

  /** Lets each writer end what it has begun. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  async #writePages(spaceId: string): Promise<void> {
    while (!this.#isOver) await this.#insert(`pages of ${spaceId}`, spaceId)
  }

  async #insert(writer: string, spaceId: string, changeRequest = ''): Promise<string> {
    const title = `Page ${(this.#count += 1)}`
    const changes = [{ operation: 'insert_page', title, document: { markdown: `# ${title}\n` } }]
    const path = `/spaces/${spaceId}${changeRequest}/content`
    await this.#write({ writer, spaceId, title: changeRequest === '' ? title : undefined }, path, { changes })
    return title
  }

  /** Writes a page in a change request, and merges it. */
  async #merge(spaceId: string): Promise<void> {
    const writer = `merges of ${spaceId}`
    while (!this.#isOver) {
      const path = `/spaces/${spaceId}/change-requests`
      const created = await this.#write({ writer, spaceId, title: undefined }, path, { subject: 'Another page' })
      // An answer that was lost is not given again: the change request stays as it is.
      if (created === undefined) continue
      const { id } = JSON.parse(created) as { id: string }
      const title = await this.#insert(writer, spaceId, `/change-requests/${id}`)
      await this.#write({ writer, spaceId, title }, `${path}/${id}/merge`, undefined)
    }
  }

  /** Sends a write until it is acknowledged; resolves to the reply, unless that was lost. */
  async #write(
    { writer, spaceId, title }: Pick<Write, 'writer' | 'spaceId' | 'title'>,
    path: string,
    body: object | undefined,
  ): Promise<string | undefined> {
    const key = randomUUID()
    const begun = Date.now()
    for (let attempt = 1; ; attempt += 1) {
      const { status, text } = await this.#send(path, body, { key, attempt })
      const isDone = (status >= 200 && status < 300) || (isRepetition(status, text) && isCarriedOut(text))
      if (isDone) {
        this.writes.push({ key, writer, spaceId, title, begun, acknowledged: Date.now() })
        await sleep(pause)
        return status < 300 ? text : undefined
      }
      if (!isOutage(status) && !isRepetition(status, text)) this.faults.push(`POST ${path}: ${status} ${text}`)
      if (this.faults.length > 0) throw new Error(this.faults.join('\n'))
      await sleep(pause)
    }
  }

  async #send(
    path: string,
    body: object | undefined,
    { key, attempt }: { key: string; attempt: number },
  ): Promise<{ status: number; text: string }> {
    const { url, admin } = this.#place
    const reply = await fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
        'x-request-id': `${key}.${attempt}`,
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => new Response(String(error), { status: 599 }))
    if (!reply.ok) this.#tally(`write ${reply.status}`)
    return { status: reply.status, text: await reply.text() }
  }

  async #readPages(spaceId: string): Promise<void> {
    let titles: string[] = []
    const path = `/spaces/${spaceId}/content/pages`
    await this.#read<{ pages: { title: string }[] }>(
      path,
      ({ pages }) => {
        const missing = titles.filter(title => !pages.some(page => page.title === title))
        if (missing.length > 0) this.faults.push(`GET ${path} lacks ${missing.join()}`)
      },
      () => (titles = this.#titlesOf(spaceId)),
    )
  }

  #titlesOf(spaceId: string): string[] {
    return this.writes.flatMap(write => (write.spaceId === spaceId && write.title !== undefined ? [write.title] : []))
  }

  async #read<T>(path: string, check: (reply: T) => void, prepare: () => void = () => {}): Promise<void> {
    while (!this.#isOver) {
      prepare()
      try {
        check(await request<T>(this.#place.admin, 'GET', path))
        this.reads += 1
      } catch (error) {
        const status = isClientError(error) ? error.code : 0
        this.#tally(`read ${status}`)
        if (!isOutage(status)) this.faults.push(`GET ${path}: ${String(error)}`)
      }
      await sleep(pause)
    }
  }

  #tally(answer: string): void {
    this.failures.set(answer, (this.failures.get(answer) ?? 0) + 1)
  }
}

export function byWriter(writes: Write[]): Map<string, Write[]> {
  const writers = new Map<string, Write[]>()
  for (const write of writes) writers.set(write.writer, [...(writers.get(write.writer) ?? []), write])
  return writers
}

/** The titles of the pages of a space that the load has written. */
export async function pageTitles(admin: Person, spaceId: string): Promise<string[]> {
  const { pages } = await request<{ pages: { title: string }[] }>(admin, 'GET', `/spaces/${spaceId}/content/pages`)
  return pages.map(({ title }) => title).filter(title => title.startsWith('Page '))
}

/** Creates what a load works on, through the balancer. */
export async function aLoadPlace(
  url: string,
  { organizationId, admin }: Pick<LoadPlace, 'organizationId' | 'admin'>,
): Promise<LoadPlace> {
  const aSpace = async () => (await admin.client.orgs.createSpace(organizationId, { title: 'Manual' } as never)).data.id
  return { url, organizationId, admin, pageSpaces: [await aSpace(), await aSpace()], mergeSpaces: [await aSpace()] }
}
