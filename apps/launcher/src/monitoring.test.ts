import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { manifestsOf, root, yamlFile } from './test/kubernetes.ts'

const run = promisify(execFile)
const folder = join(root, 'k8s/components/monitoring')

interface Rules {
  groups: { rules: { alert: string; annotations: { runbook_url: string } }[] }[]
}
const rules = () => yamlFile<Rules>('k8s/components/monitoring/rules.yaml')
const alerts = async () => (await rules()).groups.flatMap(group => group.rules)

test('the rules for the operator of Prometheus are those of the file', async () => {
  const [rule] = manifestsOf(await readFile(join(folder, 'prometheus-rule.yaml'), 'utf8'))
  expect(rule?.spec).toEqual(await rules())
})

test('each alert has a section that says what to do, and a test that provokes it', async () => {
  const page = await readFile(join(root, 'docs/operations/alerts.md'), 'utf8')
  const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
  const names = (await alerts()).map(({ alert }) => alert)
  expect(sections.toSorted()).toEqual(names.toSorted())
  for (const { alert, annotations } of await alerts())
    expect(annotations.runbook_url).toBe(`docs/operations/alerts.md#${alert.toLowerCase()}`)
  const { tests } = await yamlFile<{ tests: { name: string }[] }>('k8s/components/monitoring/rules.test.yaml')
  expect(tests.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
})

test('promtool accepts the rules, and each alert comes when it is provoked', async () => {
  const promtool = (...args: string[]) => run('promtool', args, { cwd: folder })
  const version = await promtool('--version').catch(() => undefined)
  if (!version) return console.warn('promtool is not installed (Debian: prometheus): the rules were not evaluated')
  expect((await promtool('check', 'rules', 'rules.yaml')).stdout).toContain(`${(await alerts()).length} rules found`)
  expect((await promtool('test', 'rules', 'rules.test.yaml')).stdout).toContain('SUCCESS')
})
