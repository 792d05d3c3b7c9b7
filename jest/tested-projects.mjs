import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folders that hold projects, and the projects at the top. */
const holders = ['apps', 'libs', 'libs/contracts']
const single = ['bench', 'e2e']

/** The projects with a test script: their names, folders, and the Jest configuration that the script names. */
export function testedProjects(root) {
  const folders = [
    ...holders.flatMap(holder => readdirSync(join(root, holder)).map(name => `${holder}/${name}`)),
    ...single,
  ]
  return folders
    .filter(folder => existsSync(join(root, folder, 'package.json')))
    .flatMap(folder => {
      const { name, scripts } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      const [, config] = /^jest --config \S*\/(\w+)\.config\.mjs$/.exec(scripts?.test ?? '') ?? []
      if (scripts?.test && !config) throw new Error(`${folder}/package.json: the test script is not "jest --config …"`)
      return config ? [{ name, folder, config }] : []
    })
}
