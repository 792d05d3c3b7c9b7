// npm test -- --quick [since]: checks and tests of what changed since a commit, for the inner loop; `npm test` alone decides. Without a commit:
// since the branch left origin/main, else since the last commit, else that commit itself.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { largeProjects } from './large-projects.mjs'

const maxFiles = 200

/** Files that changed since a commit and are there, with those that git does not know yet. */
function changedFiles(root, since) {
  const git = (...args) => {
    try {
      return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      return ''
    }
  }
  const filesSince = commit =>
    [git('diff', '--name-only', commit), git('ls-files', '--others', '--exclude-standard')]
      .join('\n')
      .split('\n')
      .filter(file => file !== '' && existsSync(join(root, file)))
  if (since !== undefined) {
    if (git('rev-parse', '--verify', `${since}^{commit}`) === '') throw new Error(`There is no commit ${since}`)
    return filesSince(since)
  }
  const left = git('merge-base', 'HEAD', 'origin/main')
  const ofBranch = left === '' ? [] : filesSince(left)
  const files = ofBranch.length > 0 ? ofBranch : filesSince('HEAD')
  return files.length > 0 ? files : filesSince('HEAD~1')
}

/** The folder of the project that a file belongs to; undefined for files of no project. */
function projectOf(root, file) {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    if (existsSync(join(root, folder, 'package.json'))) return folder
  return undefined
}

/** The steps that check what changed: names, commands, arguments and folders. */
export function quickSteps(root, since) {
  const files = changedFiles(root, since)
  if (files.length > maxFiles)
    throw new Error(`${files.length} files changed: run npm test, or name a later commit with -- --quick <commit>`)
  const bin = (...path) => join(root, 'node_modules', ...path)
  const sources = files.filter(file => /\.(ts|tsx|mjs|cjs)$/.test(file))
  const isLarge = file => largeProjects.some(folder => file.startsWith(`${folder}/`))
  const eslint = (name, config, linted) =>
    linted.length === 0 ? [] : [[name, process.execPath, [bin('eslint/bin/eslint.js'), ...config, ...linted]]]
  const ofProjects = sources.filter(file => projectOf(root, file) !== undefined)
  const tsc = project => [
    `types of ${project}`,
    process.execPath,
    [
      bin('typescript-7/bin/tsc'),
      '-p',
      project,
      '--singleThreaded',
      '--incremental',
      '--tsBuildInfoFile',
      bin('.cache/types', project.replaceAll('/', '_')),
    ],
  ]
  const touches = folder => sources.some(file => file.startsWith(`${folder}/`))
  return [
    ...jestSteps(root, ofProjects),
    tsc('tsconfig.all.json'),
    ...['apps/reader', 'e2e'].filter(touches).map(tsc),
    ...eslint(
      'lint',
      ['--config', 'eslint.all.config.mjs'],
      ofProjects.filter(file => !isLarge(file)),
    ),
    ...eslint('lint of the large projects', [], ofProjects.filter(isLarge)),
    ['format', process.execPath, [bin('prettier/bin/prettier.cjs'), '--check', '--ignore-unknown', ...files]],
    ['rules of the repository', process.execPath, ['scripts/check.mjs']],
  ]
}

/** A run of the tests that use the changed files, for each project that has some; those of the whole product are left out. */
function jestSteps(root, files) {
  const projects = new Set(files.map(file => projectOf(root, file)))
  projects.delete('e2e')
  return [...projects].flatMap(folder => {
    const { test } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).scripts ?? {}
    if (!test?.startsWith('jest ')) return []
    const paths = files.filter(file => projectOf(root, file) === folder).map(file => join(root, file))
    const args = [...test.split(' ').slice(1), '--passWithNoTests', '--findRelatedTests', ...paths]
    return [[`tests of ${folder}`, process.execPath, [join(root, 'node_modules/jest/bin/jest.js'), ...args], folder]]
  })
}
