import { join } from 'node:path'
import { findNatsServer, startNats } from '@recto/embedded'
import { aFolder, type Bench } from './bench.ts'
import { waitForOutput, run } from './children.ts'
import { config } from './config.ts'
import { databaseUrl, root } from './stack.ts'

const user = { name: 'bare', password: 'bare', publish: ['>'], subscribe: ['>'] }

/** Starts the bare pipe: the same hops as a request of the product, on the same database, without any of its code. Returns its URL. */
export async function startBarePipe({ stack, cleanup }: Bench): Promise<string> {
  const binary = await findNatsServer({ cacheDir: join(root, 'node_modules/.cache/recto'), env: config.environment })
  const nats = await startNats({ binary, storeDir: await aFolder(cleanup, 'nats'), users: [user] })
  cleanup.add(() => nats.stop())
  const env = {
    ...config.environment,
    BENCH_NATS_URL: nats.urlFor(user.name),
    BENCH_DATABASE_URL: await databaseUrl(stack, 'content'),
  }
  const start = (name: string) =>
    run(cleanup, [process.execPath, join(import.meta.dirname, `bare/${name}.js`)], { env })
  await waitForOutput(start('service'), /ready/)
  const [, url = ''] = await waitForOutput(start('gateway'), /ready at (\S+)/)
  return url
}
