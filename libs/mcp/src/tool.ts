import { parseWithFaults, type SchemaFault } from '@recto/schema-faults'
import { z } from 'zod'
import type { McpContent } from './content.ts'

/** A JSON Schema of an object. */
export type JsonSchema = { type: 'object' } & Record<string, unknown>

/** The circumstances of a call. */
export interface ToolCall {
  /** Aborts when the client has gone, or the time of the request is over. */
  signal: AbortSignal
}

/** The result of a call: text for the model, and the same as data where the tool has an output schema. */
export interface ToolResult {
  text: string
  /** Parts that follow the text. */
  more?: McpContent[]
  data?: Record<string, unknown>
}

/** Hints for clients of what a tool does, as the protocol names them. */
export interface ToolAnnotations {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/** A tool that clients call by its name. */
export interface McpTool {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  annotations: ToolAnnotations
  /** Throws a `ToolFailure` with what to say to the model. */
  call(input: Record<string, unknown>, call: ToolCall): Promise<ToolResult>
}

/** A call that fails, in words for the model that made it. */
export class ToolFailure extends Error {}

interface ZodTool<Input extends z.ZodObject> extends Pick<McpTool, 'name' | 'title' | 'description' | 'annotations'> {
  input: Input
  output?: z.ZodObject
  run(input: z.output<Input>, call: ToolCall): Promise<ToolResult>
}

/** Makes a tool whose input is parsed by a schema; input that does not fit it is told by field. */
export function zodTool<Input extends z.ZodObject>({ input, output, run, ...tool }: ZodTool<Input>): McpTool {
  return {
    ...tool,
    inputSchema: schemaOf(input, 'input'),
    ...(output && { outputSchema: schemaOf(output, 'output') }),
    async call(value, call) {
      const result = parseWithFaults(input, value)
      if (!result.success) throw new ToolFailure(wordsOf(result.faults))
      return run(result.data, call)
    },
  }
}

function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, { io }) as unknown as JsonSchema
}

function wordsOf(faults: readonly SchemaFault[]): string {
  return faults.map(({ path, message }) => `${path || 'arguments'}: ${message}`).join('\n')
}
