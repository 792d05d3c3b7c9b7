import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Bench } from './bench.ts'
import { databaseUrl } from './stack.ts'

/** What background work asks at any time: the outbox and the watch over git operations. No list touches these tables. */
const background = /\b(outbox|processed_messages|git_operations)\b/

/** Every statement that Postgres runs, for any client, as its log tells. */
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

  /** The statements that ran while the work was done. */
  async count(work: () => Promise<unknown>): Promise<string[]> {
    const before = await this.#mark()
    await work()
    const after = await this.#mark()
    for (;;) {
      const text = await readFile(this.#path, 'utf8')
      const [from, to] = [text.indexOf(before), text.indexOf(after)]
      if (from >= 0 && to >= 0)
        return statementsOf(text.slice(from, to)).filter(statement => !background.test(statement))
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
