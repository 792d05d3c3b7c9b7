import type { Sdk } from './sdk.ts'
import { ToolFailure, type McpTool, type ToolCall } from './tool.ts'

/** A resource in a list. */
export interface McpResource {
  uri: string
  name: string
  title: string
  description?: string
  mimeType: string
  annotations?: { lastModified?: string }
}

/** The text of a resource. */
export interface ResourceText {
  uri: string
  mimeType: string
  text: string
}

/** The resources of a server. */
export interface McpResources {
  /** A page of the list; throws a `ToolFailure` for a cursor that it has not made. */
  list(cursor: string | undefined, call: ToolCall): Promise<{ resources: McpResource[]; nextCursor?: string }>
  templates: { uriTemplate: string; name: string; title: string; description: string; mimeType: string }[]
  /** Resolves to nothing where there is no such resource. */
  read(uri: string, call: ToolCall): Promise<ResourceText | undefined>
}

/** A server as one caller sees it. */
export interface McpServer {
  name: string
  title: string
  version: string
  instructions: string
  tools: readonly McpTool[]
  resources?: McpResources
}

/** Builds the server of the SDK. `notice` gets what was thrown and is nothing for the client to read. */
export function buildServer(
  sdk: Sdk,
  server: McpServer,
  { signal, notice }: ToolCall & { notice: (error: unknown) => void },
): InstanceType<Sdk['Server']> {
  const { name, title, version, instructions, resources } = server
  const built = new sdk.Server(
    { name, title, version },
    {
      instructions,
      jsonSchemaValidator: sdk.validator,
      capabilities: { tools: {}, ...(resources && { resources: {} }) },
    },
  )
  const guarded = <Result>(work: (call: ToolCall) => Promise<Result>) => guard(sdk, { signal, notice, work })
  answerTools(sdk, built, { tools: server.tools, guarded })
  if (resources) answerResources(sdk, built, { resources, guarded })
  return built
}

type Guarded = <Result>(work: (call: ToolCall) => Promise<Result>) => Promise<Result>

function answerTools(
  { types }: Sdk,
  built: InstanceType<Sdk['Server']>,
  { tools, guarded }: { tools: readonly McpTool[]; guarded: Guarded },
): void {
  built.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: tools.map(({ call: _call, ...tool }) => tool),
  }))
  built.setRequestHandler(types.CallToolRequestSchema, ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw new types.McpError(types.ErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 100)}`)
    return guarded(async call => {
      try {
        const { text, data } = await tool.call(params.arguments ?? {}, call)
        return { content: [{ type: 'text' as const, text }], ...(data && { structuredContent: data }) }
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error
        return { content: [{ type: 'text' as const, text: error.message }], isError: true }
      }
    })
  })
}

/** The code of the protocol for a resource that is not there. */
const resourceNotFound = -32002

function answerResources(
  { types }: Sdk,
  built: InstanceType<Sdk['Server']>,
  { resources, guarded }: { resources: McpResources; guarded: Guarded },
): void {
  built.setRequestHandler(types.ListResourcesRequestSchema, ({ params }) =>
    guarded(call => resources.list(params?.cursor, call)),
  )
  built.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: resources.templates }))
  built.setRequestHandler(types.ReadResourceRequestSchema, async ({ params }) => {
    const contents = await guarded(call => resources.read(params.uri, call))
    if (!contents) throw new types.McpError(resourceNotFound, 'There is no such resource')
    return { contents: [contents] }
  })
}

/** Does work for a client; what it throws that is no answer is noticed, and the client is told no more than that something failed. */
async function guard<Result>(
  { types }: Sdk,
  { signal, notice, work }: ToolCall & { notice: (error: unknown) => void; work(call: ToolCall): Promise<Result> },
): Promise<Result> {
  try {
    return await work({ signal })
  } catch (error) {
    if (error instanceof ToolFailure) throw new types.McpError(types.ErrorCode.InvalidParams, error.message)
    if (error instanceof types.McpError) throw error
    notice(error)
    throw new types.McpError(types.ErrorCode.InternalError, 'Something went wrong on our side')
  }
}
