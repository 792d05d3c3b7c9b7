import { join } from 'node:path'
import servers from './servers.config.mjs'
import { testedProjects } from './tested-projects.mjs'
import unit from './unit.config.mjs'

const root = join(import.meta.dirname, '..')
const configs = { unit, servers }

/** A configuration without what holds for a run. */
function ofProject({ maxWorkers: _workers, workerIdleMemoryLimit: _limit, ...config }) {
  const { passWithNoTests: _none, testTimeout: _timeout, reporters: _reporters, ...project } = config
  return project
}

/** The tests of all projects but those of the whole product, in one run, so that they share workers, servers and compiled modules. */
export default {
  rootDir: root,
  // Workers wait for Postgres now and then.
  maxWorkers: 3,
  workerIdleMemoryLimit: servers.workerIdleMemoryLimit,
  testTimeout: unit.testTimeout,
  reporters: unit.reporters,
  testSequencer: join(root, 'jest/longest-first.cjs'),
  projects: testedProjects(root)
    .filter(({ config }) => config in configs)
    .map(({ name, folder, config }) => ({
      ...ofProject(configs[config]),
      displayName: name,
      rootDir: join(root, folder),
    })),
}
