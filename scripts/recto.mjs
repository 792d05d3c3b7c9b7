// npm run recto -- <command>, npm run backup, npm run restore: administration of the installation in DATA_DIR, or of DATABASE_URL_*.
import { build } from './build.mjs'
import { install, nodeFault } from './install.mjs'

const fault = nodeFault()
try {
  if (fault) throw new Error(fault)
  install()
  await build()
  process.argv.splice(2, 0, 'admin')
  await import(new URL('../dist/apps/launcher/main.js', import.meta.url))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
