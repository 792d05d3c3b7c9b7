// node scripts/code-caches.mjs: lets each built program write V8's code cache beside it, for images, in which nobody may later.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const apps = fileURLToPath(new URL('../dist/apps', import.meta.url))
const folders = readdirSync(apps, { withFileTypes: true }).filter(entry => entry.isDirectory())
const loaders = folders.flatMap(({ name }) =>
  readdirSync(join(apps, name))
    .filter(file => file.endsWith('.js') && !/-[0-9a-f]{16}\.js$/.test(file))
    .map(file => join(apps, name, file)),
)
for (const loader of loaders) {
  // Programs end as soon as they are loaded: there are no settings, and no command has this name. They write their caches then.
  spawnSync(process.execPath, [loader, 'none'], { env: {}, stdio: 'ignore' })
  const files = readdirSync(join(loader, '..'))
  const program = loader.slice(0, -'.js'.length)
  const hasCache = files.some(file => join(loader, '..', file).startsWith(`${program}-`) && file.endsWith('.cache'))
  if (!hasCache) throw new Error(`${loader} has written no code cache`)
}
console.log(`${loaders.length} programs have their code caches`)
