import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Bench } from './bench.ts'
import { databaseUrl } from './stack.ts'

/** Tables of background work (the outbox, git operations), which no list reads. */
const background = /\b(outbox|processed_messages|git_operations)\b/

/** The log of all statements that Postgres runs, for any client. */
export class StatementLog {
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

  /** The statements that ran during the work. */
  async capture(work: () => Promise<unknown>): Promise<string[]> {
    const before = await this.#mark()
    await work()
    const after = await this.#mark()
    for (;;) {
      const text = await readFile(this.#path, 'utf8')
      const from = text.indexOf(before)
      const to = text.indexOf(after)
      if (from >= 0 && to >= 0)
        return parseStatements(text.slice(from, to)).filter(statement => !background.test(statement))
      await sleep(20)
    }
  }

  async #mark(): Promise<string> {
    const mark = `mark ${++this.#marks} of the bench`
    await this.#client.query(`select '${mark}'`)
    return mark
  }
}

/** Records start with a timestamp; the first and the last one are the marks. */
function parseStatements(text: string): string[] {
  const records = text.split(/\n(?=\d{4}-\d\d-\d\d )/).slice(1, -1)
  return records.filter(record => /LOG: {2}(execute|statement)/.test(record))
}
