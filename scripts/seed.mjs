// npm run seed: creates a large organization in the running installation. Options: --members, --teams, --title.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dataDir = resolve(process.env.DATA_DIR || '.data')

/** The URL of the identity database of the installation that `npm start` runs. */
function ownDatabase() {
  const [secretsFile, pidFile] = [join(dataDir, 'secrets.json'), join(dataDir, 'postgres/cluster/postmaster.pid')]
  if (!existsSync(secretsFile) || !existsSync(pidFile))
    throw new Error(`Nothing runs in ${dataDir}: call npm start first, or set DATABASE_URL_IDENTITY.`)
  const { passwords } = JSON.parse(readFileSync(secretsFile, 'utf8'))
  const port = readFileSync(pidFile, 'utf8').split('\n')[3]
  return `postgres://identity:${encodeURIComponent(passwords.identity.database)}@127.0.0.1:${port}/identity`
}

try {
  // Seeding uses the database only; the configuration requires the other variables.
  const unused = {
    NATS_URL: 'nats://127.0.0.1',
    PUBLIC_URL: 'http://127.0.0.1',
    SIGNING_SECRET: 'not used to fill a database, and long enough',
  }
  const env = { ...unused, ...process.env, DATABASE_URL_IDENTITY: process.env.DATABASE_URL_IDENTITY || ownDatabase() }
  const program = join(root, 'dist/apps/identity/main.js')
  process.exitCode =
    spawnSync(process.execPath, [program, 'seed', ...process.argv.slice(2)], { env, stdio: 'inherit' }).status ?? 1
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
