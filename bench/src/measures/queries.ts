import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { anOrganization, aSpace } from '../api.ts'
import type { Bench, Measure } from '../bench.ts'
import { databaseUrl, memoryOf, pidOf } from '../stack.ts'
import { median, rounded } from '../statistics.ts'

const small = 10
const large = 1000
const reads = 15

/** Statements that Postgres ran for a list of 1,000 spaces against one of 10, counted in its own log. */
export const measureQueries: Measure = async bench => {
  const few = await listOf(bench, small)
  const many = await listOf(bench, large)
  const log = await StatementLog.open(bench)
  const [fewer, more] = [await log.count(() => bench.api.get(few)), await log.count(() => bench.api.get(many))].map(found => found.length)
  await log.close()
  if (fewer === undefined || more === undefined || fewer === 0) throw new Error('Postgres logged no statements')
  const [fewTimes, manyTimes] = [await times(bench, few), await times(bench, many)]
  const resident = await memoryOf(await pidOf(bench.stack, 'content'), 'VmRSS')
  const held = resident === undefined ? '' : `; content holds ${Math.round(resident / 1024 / 1024)} MB`
  return [
    {
      what: `queries of a list of ${large.toLocaleString('en')}, against ${small}`,
      value: rounded(more / fewer),
      unit: 'x',
      budget: { atMost: 1 },
      detail: `${more} against ${fewer} statements; ${manyTimes.ms.toFixed(1)} ms for ${Math.round(manyTimes.bytes / 1024)} KiB against ${fewTimes.ms.toFixed(1)} ms${held}`,
      figures: { statements: { small: fewer, large: more }, ms: { small: fewTimes.ms, large: manyTimes.ms }, residentBytes: resident },
    },
  ]
}

async function listOf({ api }: Bench, count: number): Promise<string> {
  const organization = await anOrganization(api)
  for (let at = 0; at < count; at++) await aSpace(api, organization)
  const path = `/orgs/${organization}/spaces?limit=${large}`
  const { items } = await api.get<{ items: unknown[] }>(path)
  if (items.length !== count) throw new Error(`The list has ${items.length} of ${count} spaces`)
  return path
}

async function times({ api }: Bench, path: string): Promise<{ ms: number; bytes: number }> {
  const seen = []
  for (let read = 0; read < reads; read++) seen.push(await api.time(path))
  return { ms: median(seen.map(({ ms }) => ms)), bytes: seen[0]?.bytes ?? 0 }
}

/** What background work asks at any time: the outbox and the watch over git operations. No list touches these tables. */
const background = /\b(outbox|inbox|git_operations)\b/

/** Every statement that Postgres runs, for any client, as its log tells. */
class StatementLog {
  readonly #client: pg.Client
  readonly #path: string
  #marks = 0

  private constructor(client: pg.Client, path: string) {
    this.#client = client
    this.#path = path
  }

  static async open({ stack, cleanup }: Bench): Promise<StatementLog> {
    const client = new pg.Client({ connectionString: await databaseUrl(stack, 'postgres') })
    await client.connect()
    cleanup.add(() => client.end())
    await client.query(`alter system set log_statement = 'all'`)
    await client.query('select pg_reload_conf()')
    await sleep(500)
    return new StatementLog(client, join(stack.dataDir, 'logs/postgres.log'))
  }

  async close(): Promise<void> {
    await this.#client.query('alter system reset log_statement')
    await this.#client.query('select pg_reload_conf()')
  }

  /** The statements that ran while the work was done. */
  async count(work: () => Promise<unknown>): Promise<string[]> {
    const before = await this.#mark()
    await work()
    const after = await this.#mark()
    for (;;) {
      const text = await readFile(this.#path, 'utf8')
      const [from, to] = [text.indexOf(before), text.indexOf(after)]
      if (from >= 0 && to >= 0) return statementsOf(text.slice(from, to)).filter(statement => !background.test(statement))
      await sleep(20)
    }
  }

  async #mark(): Promise<string> {
    const mark = `mark ${++this.#marks} of the bench`
    await this.#client.query(`select '${mark}'`)
    return mark
  }
}

/** Records begin with a time; the first one and the last are the marks themselves. */
function statementsOf(text: string): string[] {
  const records = text.split(/\n(?=\d{4}-\d\d-\d\d )/).slice(1, -1)
  return records.filter(record => /LOG: {2}(execute|statement)/.test(record))
}
