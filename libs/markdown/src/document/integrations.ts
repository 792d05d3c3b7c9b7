import type { TagNode } from '../syntax/nodes.ts'
import { block } from './nodes.ts'
import type { DocumentBlock } from './schema.ts'

/** Attributes that are not properties of the block: those beside them in its data, and all of its properties as JSON. */
const ownAttributes = ['url', 'fullWidth', 'action', 'props']

/** Reads `{% @integration/block name="value" %}`; properties that are not lines of text stand together as JSON in `props`. */
export function readIntegration({ name, attributes }: TagNode): DocumentBlock | undefined {
  const [, integration, type] = /^@([^/]+)\/(.+)$/.exec(name) ?? []
  const { url, fullWidth, action, props, ...lines } = attributes
  const json = props === undefined ? {} : readObject(props)
  const act = action === undefined ? undefined : readObject(action)
  const isFlag = fullWidth === undefined || fullWidth === 'true' || fullWidth === 'false'
  const isKnown = integration !== undefined && isFlag && json && (action === undefined || act)
  if (!isKnown || (props !== undefined && Object.keys(lines).length > 0)) return undefined
  const data = {
    integration,
    block: type,
    props: { ...lines, ...json },
    action: act,
    url,
    fullWidth: fullWidth === undefined ? undefined : fullWidth === 'true',
  }
  return block('integration', { data })
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** The attributes that `readIntegration` reads as the data of a block. */
export function integrationAttributes(data: Record<string, unknown>): Record<string, unknown> {
  const props = (data['props'] ?? {}) as Record<string, unknown>
  const areLines = Object.entries(props).every(
    ([name, value]) =>
      /^[a-zA-Z_][\w-]*$/.test(name) &&
      !ownAttributes.includes(name) &&
      typeof value === 'string' &&
      !/[\r\n]/.test(value),
  )
  return {
    ...(areLines ? props : { props: JSON.stringify(props) }),
    url: data['url'],
    fullWidth: data['fullWidth'],
    action: data['action'] === undefined ? undefined : JSON.stringify(data['action']),
  }
}
