/** A function that a model may call, with a JSON Schema of its arguments. */
export interface ChatTool {
  name: string
  description: string
  parameters: object
}

/** A call that a model wants, with its arguments as it wrote them: JSON, if all is well. */
export interface ChatToolCall {
  id: string
  name: string
  arguments: string
}

/** Calls of one answer that are kept; those above are dropped. */
const maxCalls = 32

interface Delta {
  index?: unknown
  id?: unknown
  function?: { name?: unknown; arguments?: unknown } | null
}

/** The calls of a stream, assembled from its pieces. */
export interface ToolCallPieces {
  /** Adds the `tool_calls` of one delta, whatever they are. */
  add(deltas: unknown): void
  /** The calls that have a name. */
  calls(): ChatToolCall[]
}

/** Collects calls. Engines name them by `index`, by `id`, or send each whole without either. */
export function collectToolCalls(): ToolCallPieces {
  const calls: (ChatToolCall & { index: unknown })[] = []
  const add = (delta: Delta) => {
    const { index, id } = delta
    const { name, arguments: words } = delta.function ?? {}
    const call = findCall(calls, { index, id, name }) ?? (calls.length < maxCalls ? beginCall(calls, index) : undefined)
    if (!call) return
    if (typeof id === 'string' && id !== '') call.id = id
    if (typeof name === 'string') call.name += name
    if (typeof words === 'string') call.arguments += words
    else if (typeof words === 'object' && words !== null) call.arguments += JSON.stringify(words)
  }
  return {
    add(deltas) {
      if (!Array.isArray(deltas)) return
      for (const delta of deltas as unknown[]) if (typeof delta === 'object' && delta !== null) add(delta)
    },
    calls: () =>
      calls.flatMap(({ id, name, arguments: words }, at) =>
        name === '' ? [] : [{ id: id || `call-${at + 1}`, name, arguments: words }],
      ),
  }
}

type OpenCall = ChatToolCall & { index: unknown }

/** The call that a piece goes on with; one with another id, or with a name and no index, begins a call. */
function findCall(
  calls: readonly OpenCall[],
  { index, id, name }: { index: unknown; id: unknown; name: unknown },
): OpenCall | undefined {
  const hasId = typeof id === 'string' && id !== ''
  if (hasId) {
    const same = calls.find(call => call.id === id)
    if (same) return same
  }
  if (typeof index === 'number') {
    const last = calls.findLast(call => call.index === index)
    return last && hasId && last.id !== '' ? undefined : last
  }
  return hasId || typeof name === 'string' ? undefined : calls.at(-1)
}

function beginCall(calls: OpenCall[], index: unknown): OpenCall {
  const call = { id: '', name: '', arguments: '', index }
  calls.push(call)
  return call
}
