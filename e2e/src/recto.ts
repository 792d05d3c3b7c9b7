import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cleanEnvironment } from './config.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a command of administration on a data folder, as `npm run recto` does; resolves to what it prints. */
export async function recto(dataDir: string, ...args: string[]): Promise<string> {
  const env = { ...cleanEnvironment(), DATA_DIR: dataDir }
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/recto.mjs', ...args], { cwd: root, env })
  return stdout
}
