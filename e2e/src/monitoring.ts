import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const folder = fileURLToPath(new URL('../../k8s/components/monitoring', import.meta.url))

type Labels = Record<string, string>

/** A sample of `/metrics`. */
export interface Sample {
  metric: string
  labels: Labels
}

/** The labels that Prometheus adds to each sample, and the one metric that it makes itself. */
const added = ['instance', 'job']
const scraped: Sample = { metric: 'up', labels: {} }
/** Labels whose values are there once something has happened. */
const open = ['operation', 'code']
const operators = new Set(['and', 'or', 'unless', 'bool', 'offset'])
const name = '[a-zA-Z_:][\\w:]*'

/** Reads the text of `/metrics`. */
export function samplesOf(text: string): Sample[] {
  const lines = text.matchAll(new RegExp(`^(${name})(?:\\{(.*)\\})? \\S+$`, 'gm'))
  return Array.from(lines, ([, metric = '', labels = '']) => {
    const pairs = Array.from(labels.matchAll(/(\w+)="([^"]*)"/g), ([, key = '', value = '']) => [key, value])
    return { metric, labels: Object.fromEntries(pairs) as Labels }
  })
}

interface Panels {
  panels: { title: string; targets: { expr: string }[] }[]
}
interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[]
}

/** Every expression of alerts and dashboards, with where it is. */
export async function expressions(): Promise<{ place: string; expression: string }[]> {
  const read = (path: string) => readFile(join(folder, path), 'utf8')
  const { groups } = parse(await read('rules.yaml')) as Rules
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ place: alert, expression: expr })))
  const files = await readdir(join(folder, 'dashboards'))
  const boards = await Promise.all(
    files.map(async file => {
      const { panels } = JSON.parse(await read(`dashboards/${file}`)) as Panels
      return panels.flatMap(({ title, targets }) =>
        targets.map(({ expr }) => ({ place: `${file}: ${title}`, expression: expr })),
      )
    }),
  )
  return [...alerts, ...boards.flat()]
}

interface Wanted {
  metric: string
  /** Label names, with the value that one must have. */
  labels: Record<string, string | undefined>
}

/** The series that an expression of Prometheus selects, and the labels that it groups by. */
function parseExpression(expression: string): { series: Wanted[]; groupedBy: string[] } {
  const series: Wanted[] = []
  const groupedBy: string[] = []
  const matchers = (text: string) =>
    Array.from(text.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g), ([, key = '', operator, value]) => [
      key,
      operator === '=' && !open.includes(key) ? value : undefined,
    ])
  const rest = expression
    .replaceAll(new RegExp(`(${name})\\{([^}]*)\\}`, 'g'), (_all, metric: string, labels: string) => {
      series.push({ metric, labels: Object.fromEntries(matchers(labels)) })
      return ''
    })
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|on|ignoring|without)\s*\(([^)]*)\)/g, (_all, labels: string) => {
      groupedBy.push(...labels.split(',').map(label => label.trim()))
      return ''
    })
    .replaceAll(/\bgroup_(left|right)\b/g, '')
  for (const [metric] of rest.matchAll(new RegExp(`${name}(?![\\w:]|\\s*\\()`, 'g')))
    if (!operators.has(metric)) series.push({ metric, labels: {} })
  return { series, groupedBy }
}

/** The names in an expression that no sample has. */
export function unknownNames(expression: string, served: Sample[]): string[] {
  const { series, groupedBy } = parseExpression(expression)
  const samples = [...served, scraped]
  const missing = series.filter(({ metric, labels }) => {
    const isMet = ([key, value]: [string, string | undefined], sample: Sample) =>
      added.includes(key) || (key in sample.labels && (value === undefined || sample.labels[key] === value))
    return !samples.some(one => one.metric === metric && Object.entries(labels).every(label => isMet(label, one)))
  })
  const of = samples.filter(({ metric }) => series.some(each => each.metric === metric))
  const labels = new Set([...added, ...of.flatMap(sample => Object.keys(sample.labels))])
  return [...missing.map(each => JSON.stringify(each)), ...groupedBy.filter(label => !labels.has(label))]
}
