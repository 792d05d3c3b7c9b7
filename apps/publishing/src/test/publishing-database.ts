import { migrate, openDatabase, type DataSource } from '@recto/database'
import { aDatabase } from '@recto/testing'
import { publishingDatabase } from '../database.ts'

/** The database of the service without the service; `stop` drops it. */
export async function aPublishingDatabase(poolSize: number): Promise<{ database: DataSource; stop(): Promise<void> }> {
  const { url, drop } = await aDatabase({
    template: 'publishing',
    migrate: async at => void (await migrate(publishingDatabase(at))),
  })
  const database = await openDatabase(publishingDatabase(url, { poolSize }))
  const stop = async () => {
    await database.destroy()
    await drop()
  }
  return { database, stop }
}
