// npm start: installs missing packages, builds, and runs the launcher.
import { build } from './build.mjs'
import { install, nodeFault } from './install.mjs'

const fault = nodeFault()
try {
  if (fault) throw new Error(fault)
  install()
  await build()
  await import(new URL('../dist/apps/launcher/main.js', import.meta.url))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
