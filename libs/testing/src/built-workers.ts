import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { provided } from './provided.ts'

const root = join(import.meta.dirname, '../../..')

/** Where the workers of a run are; packages resolve only inside the repository. */
export const workersFolder = (runFolder: string): string => join(root, 'dist/workers', basename(runFolder))

/** The bundled module of the worker threads of an app, `apps/<app>/src/<name>.ts`; built once per run. */
export function builtWorkers(app: string, name: string): string {
  const folder = workersFolder(provided('runFolder'))
  const file = join(folder, app, `${name}.js`)
  if (existsSync(file)) return file
  buildWorkers(folder, app)
  return file
}

/** Bundles the modules of the worker threads of an app into `<folder>/<app>`. Throws with what the build said when it fails. */
export function buildWorkers(folder: string, app: string): void {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', 'workers', folder, app], { cwd: root })
  if (status !== 0) throw new Error(`the worker threads of ${app} cannot be built: ${stderr}`)
}
