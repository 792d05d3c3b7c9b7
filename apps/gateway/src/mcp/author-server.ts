import { ToolFailure, zodTool, type McpServer, type McpTool, type ToolAnnotations } from '@recto/mcp'
import { allowsLimited, allowsOperation, groupOf, type Caller, type Operation } from '@recto/operation'
import { z } from 'zod'
import { authorTools, schemasOfPrograms, type AuthorTool } from '../api-reference/author-tools.ts'
import { callOperation, isForPrograms, type CallInput, type Calling } from './call-operation.ts'
import { findOperations, type Catalogue, type CatalogueEntry } from './catalogue.ts'
import { selfContained } from './json-schema.rules.ts'
import { toolInput } from './tool-input.ts'

/** The parts of the server of a caller. */
interface Parts extends Calling {
  /** The scopes and limits of the caller's token. */
  token: Pick<Caller, 'scopes' | 'limitedTo'>
}

/** Whether a token may be used for an operation, whatever it is about. */
function allows(token: Parts['token'], operation: Operation): boolean {
  return allowsOperation(token.scopes, operation) && allowsLimited(token, operation)
}

/** Operations that a search names. */
const maxFound = 20

/** The server of the API for the owner of a token: tools for every operation, and one for each that authors use most and the token allows. */
export function authorServer(parts: Parts): McpServer {
  return {
    name: 'api',
    title: 'API',
    version: '1',
    instructions:
      'Reads and writes documentation with the rights of a token. Changes are made in a change request, which is reviewed and merged. What has no tool of its own is found by findOperation and called by callOperation.',
    tools: [...curatedTools(parts), findTool(parts), describeTool(parts), callTool(parts)],
  }
}

const reading: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** The hints for an operation: a token that reads does not change anything, and what is set or deleted is gone as it was. */
export function annotationsOf({ method, operation }: CatalogueEntry): ToolAnnotations {
  const readOnlyHint = groupOf(operation) === 'read'
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && method !== 'POST',
    idempotentHint: readOnlyHint || method !== 'POST' || operation.isIdempotent === true,
    openWorldHint: false,
  }
}

/** A tool of the table with its operation and its input. */
interface CuratedTool {
  tool: Omit<McpTool, 'call'>
  entry: CatalogueEntry
  toCall(input: Record<string, unknown>): CallInput
}

const curated = new WeakMap<Catalogue, CuratedTool[]>()

/** The tools of the table; made once, since their schemas are copied from the reference. */
function curatedToolsOf(catalogue: Catalogue): CuratedTool[] {
  const tools = curated.get(catalogue) ?? authorTools.flatMap(tool => curatedTool(tool, catalogue))
  curated.set(catalogue, tools)
  return tools
}

function curatedTool(tool: AuthorTool, { entries, schemas }: Catalogue): CuratedTool[] {
  const entry = entries.get(tool.operationId)
  if (!entry) return []
  const { schema: inputSchema, toCall } = toolInput(tool, entry, { schemas, without: schemasOfPrograms })
  const description = [`${entry.summary} (${entry.operationId}).`, entry.description].filter(Boolean).join(' ')
  const annotations = annotationsOf(entry)
  return [{ tool: { name: tool.name, title: entry.summary, description, inputSchema, annotations }, entry, toCall }]
}

function curatedTools({ token, ...calling }: Parts): McpTool[] {
  return curatedToolsOf(calling.catalogue)
    .filter(({ entry }) => allows(token, entry.operation))
    .map(({ tool, toCall }) => ({
      ...tool,
      call: (input, { signal }) => callOperation(calling, toCall(input), signal),
    }))
}

function findTool({ catalogue, token }: Parts): McpTool {
  return zodTool({
    name: 'findOperation',
    title: 'Find an operation',
    description: 'Finds operations of the API by words, the best first. Describe one before you call it.',
    annotations: reading,
    input: z.object({ query: z.string().trim().min(1).max(500).describe('Words, such as `invite member`') }),
    run: ({ query }) => {
      const operations = findOperations(catalogue, query, maxFound).map(entry => ({
        ...factsOf(entry),
        isAllowedByToken: entry.operation.access?.public === true || allows(token, entry.operation),
      }))
      return Promise.resolve({ text: JSON.stringify({ operations }) })
    },
  })
}

function factsOf({ operationId, method, path, summary, scope }: CatalogueEntry) {
  return { operationId, route: `${method} ${path}`, summary, scope }
}

function describeTool({ catalogue }: Parts): McpTool {
  return zodTool({
    name: 'describeOperation',
    title: 'Describe an operation',
    description: 'Says what an operation takes and answers, as JSON Schema, with an example of its body.',
    annotations: reading,
    input: z.object({ operationId: z.string().min(1).max(200) }),
    run: ({ operationId }) => {
      const entry = catalogue.entries.get(operationId)
      if (!entry) throw new ToolFailure(`There is no operation ${operationId}: find it by findOperation`)
      return Promise.resolve({ text: JSON.stringify(describe(entry, catalogue)) })
    },
  })
}

function describe(entry: CatalogueEntry, { schemas }: Catalogue): object {
  const { description, parameters, body, reply, operation } = entry
  const { value, $defs } = selfContained(
    { parameters, ...(body && { body: body.schema }), ...(reply && { reply }) },
    { schemas, without: new Set() },
  )
  return {
    ...factsOf(entry),
    ...(description !== '' && { description }),
    who: operation.access?.may,
    ...(isForPrograms(entry) && { note: 'It takes what is no JSON: callOperation does not call it.' }),
    ...value,
    ...(body && { isBodyRequired: body.isRequired, example: body.example }),
    $defs,
  }
}

const fields = z.record(z.string(), z.unknown())

function callTool(calling: Parts): McpTool {
  return zodTool({
    name: 'callOperation',
    title: 'Call an operation',
    description:
      'Calls any operation of the API with the rights of the token, as its HTTP request does, and answers with its reply. Describe the operation first.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    input: z.object({
      operationId: z.string().min(1).max(200),
      params: fields.optional().describe('Parameters of the path'),
      query: fields.optional().describe('Parameters of the query'),
      body: z.unknown().optional().describe('The body, as JSON'),
      idempotencyKey: z
        .string()
        .min(1)
        .max(255)
        .optional()
        .describe('Of operations that create: a repeated call gets the first reply'),
      ifMatch: z.string().max(500).optional().describe('Entity tag that must be current'),
    }),
    run: (input, { signal }) => {
      const { operationId, params, query, body, idempotencyKey, ifMatch } = input
      const call = {
        operationId,
        ...(params && { params }),
        ...(query && { query }),
        ...(body !== undefined && { body }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...(ifMatch !== undefined && { ifMatch }),
      }
      return callOperation(calling, call, signal)
    },
  })
}
