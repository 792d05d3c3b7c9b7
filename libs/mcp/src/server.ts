import type { ResourceContent } from './content.ts'
import { answerPrompts } from './answer-prompts.ts'
import { guard, type Guarded } from './guard.ts'
import type { McpPrompts } from './prompts.ts'
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

/** The resources of a server. */
export interface McpResources {
  /** A page of the list; throws a `ToolFailure` for a cursor that it has not made. */
  list(cursor: string | undefined, call: ToolCall): Promise<{ resources: McpResource[]; nextCursor?: string }>
  templates: { uriTemplate: string; name: string; title: string; description: string; mimeType: string }[]
  /** Resolves to nothing where there is no such resource. */
  read(uri: string, call: ToolCall): Promise<ResourceContent | undefined>
}

/** A server as one caller sees it. */
export interface McpServer {
  name: string
  title: string
  version: string
  instructions: string
  tools: readonly McpTool[]
  resources?: McpResources
  prompts?: McpPrompts
}

/** Builds the server of the SDK. `notice` gets what was thrown and is nothing for the client to read. */
export function buildServer(
  sdk: Sdk,
  server: McpServer,
  { signal, notice }: ToolCall & { notice: (error: unknown) => void },
): InstanceType<Sdk['Server']> {
  const { name, title, version, instructions, resources, prompts } = server
  const sdkServer = new sdk.Server(
    { name, title, version },
    {
      instructions,
      jsonSchemaValidator: sdk.validator,
      capabilities: {
        tools: {},
        ...(resources && { resources: {} }),
        ...(prompts && { prompts: {} }),
        ...(prompts?.complete && { completions: {} }),
      },
    },
  )
  const guarded = <Result>(work: (call: ToolCall) => Promise<Result>) => guard(sdk, { signal, notice, work })
  answerTools(sdk, sdkServer, { tools: server.tools, guarded })
  if (resources) answerResources(sdk, sdkServer, { resources, guarded })
  if (prompts) answerPrompts(sdk, sdkServer, { prompts, guarded })
  return sdkServer
}

function answerTools(
  { types }: Sdk,
  sdkServer: InstanceType<Sdk['Server']>,
  { tools, guarded }: { tools: readonly McpTool[]; guarded: Guarded },
): void {
  sdkServer.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: tools.map(({ call: _call, ...tool }) => tool),
  }))
  sdkServer.setRequestHandler(types.CallToolRequestSchema, ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw new types.McpError(types.ErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 100)}`)
    return guarded(async call => {
      try {
        const { text, more = [], data } = await tool.call(params.arguments ?? {}, call)
        return { content: [{ type: 'text' as const, text }, ...more], ...(data && { structuredContent: data }) }
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
  sdkServer: InstanceType<Sdk['Server']>,
  { resources, guarded }: { resources: McpResources; guarded: Guarded },
): void {
  sdkServer.setRequestHandler(types.ListResourcesRequestSchema, ({ params }) =>
    guarded(call => resources.list(params?.cursor, call)),
  )
  sdkServer.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: resources.templates,
  }))
  sdkServer.setRequestHandler(types.ReadResourceRequestSchema, async ({ params }) => {
    const contents = await guarded(call => resources.read(params.uri, call))
    if (!contents) throw new types.McpError(resourceNotFound, 'There is no such resource')
    return { contents: [contents] }
  })
}
