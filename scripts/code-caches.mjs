// node scripts/code-caches.mjs: lets each built program write V8's code cache beside it, for images, in which nobody may later. The names have
// no flags and no processor: V8 itself refuses what other flags have made.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const apps = fileURLToPath(new URL('../dist/apps', import.meta.url))
const timeout = 60_000

const { programs: names } = JSON.parse(readFileSync(join(apps, 'built'), 'utf8'))
const programs = names.map(name => join(apps, name))
for (const program of programs) {
  // Programs end as soon as they are loaded: there are no settings, and no command has this name.
  const args = [program.replace(/-[0-9a-f]{16}\.js$/, '.js'), 'none']
  spawnSync(process.execPath, args, { env: {}, stdio: 'ignore', timeout })
  const folder = join(program, '..')
  const cache = readdirSync(folder).find(file => file.startsWith(`${basename(program)}.`) && file.endsWith('.cache'))
  if (!cache) throw new Error(`${program} has written no code cache`)
  renameSync(join(folder, cache), `${program}.cache`)
}
console.log(`${programs.length} programs have their code caches`)
