import type { Guarded } from './guard.ts'
import type { McpPrompts } from './prompts.ts'
import type { Sdk } from './sdk.ts'

/** Values of one completion, which the protocol limits. */
const maxValues = 100

/** Answers requests for prompts, and for values of their arguments. */
export function answerPrompts(
  { types }: Sdk,
  built: InstanceType<Sdk['Server']>,
  { prompts, guarded }: { prompts: McpPrompts; guarded: Guarded },
): void {
  const refused = (message: string) => new types.McpError(types.ErrorCode.InvalidParams, message)
  const find = (name: string) => {
    const prompt = prompts.list.find(each => each.name === name)
    if (!prompt) throw refused(`There is no prompt ${name.slice(0, 100)}`)
    return prompt
  }
  built.setRequestHandler(types.ListPromptsRequestSchema, () => ({ prompts: prompts.list }))
  built.setRequestHandler(types.GetPromptRequestSchema, async ({ params: { name, arguments: values = {} } }) => {
    const { description, arguments: all = [] } = find(name)
    const absent = all.find(each => each.required && values[each.name] === undefined)
    if (absent) throw refused(`The argument ${absent.name} is missing`)
    return { description, messages: await guarded(call => prompts.get(name, values, call)) }
  })
  const { complete } = prompts
  if (!complete) return
  built.setRequestHandler(types.CompleteRequestSchema, async ({ params: { ref, argument } }) => {
    if (ref.type !== 'ref/prompt') return { completion: { values: [], total: 0, hasMore: false } }
    find(ref.name)
    const values = await guarded(call => complete({ prompt: ref.name, ...argument }, call))
    const hasMore = values.length > maxValues
    return { completion: { values: values.slice(0, maxValues), total: values.length, hasMore } }
  })
}
