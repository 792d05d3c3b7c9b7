import type { ChatTool } from '@recto/engine'
import type { RemoteTool } from '@recto/mcp'

/** A tool of an external server, under the name by which an engine calls it. */
export interface OfferedTool {
  /** The place of its server. */
  server: number
  /** Its name on that server. */
  tool: string
  definition: ChatTool
}

/** A server with the tools that it has. */
interface ServerTools {
  name: string
  tools: readonly RemoteTool[]
}

/** Tools that an engine chooses from, characters of a description and of a schema, and of the name of a tool. */
const maxTools = 64
const maxDescription = 1_000
const maxSchema = 8_000
const maxName = 64
/** Characters of the name that are left for a tool. */
const maxServerName = 24
/** Characters of one result. */
const maxResult = 8_000

/** The tools that an engine may call: those that are not destructive, each with a name of its own. */
export function offerTools(servers: readonly ServerTools[]): OfferedTool[] {
  const usedNames = new Set<string>()
  return servers
    .flatMap(({ name, tools }, server) =>
      tools.filter(isOffered).map(({ name: tool, title, description, inputSchema }) => {
        const text = [title, description].filter(Boolean).join(': ').slice(0, maxDescription)
        const own = freeName(`${wordOf(name).slice(0, maxServerName)}_${wordOf(tool)}`, usedNames)
        return { server, tool, definition: { name: own, description: text, parameters: inputSchema } }
      }),
    )
    .slice(0, maxTools)
}

/** A tool that changes things, and says that it may destroy some, is not for answers. Many tools say nothing. */
function isOffered({ annotations, inputSchema }: RemoteTool): boolean {
  const isDestructive = annotations?.destructiveHint === true && annotations.readOnlyHint !== true
  return !isDestructive && JSON.stringify(inputSchema).length <= maxSchema
}

function wordOf(name: string): string {
  return name.replace(/[^a-zA-Z0-9-]+/g, '_').replace(/^_+|_+$/g, '') || 'x'
}

function freeName(name: string, usedNames: Set<string>): string {
  let free = name.slice(0, maxName)
  for (let count = 2; usedNames.has(free); count += 1) {
    const end = `_${count}`
    free = name.slice(0, maxName - end.length) + end
  }
  usedNames.add(free)
  return free
}

/** The arguments of a call; undefined for what is no JSON of an object. A mark that the engine knows does not leave with them. */
export function readArguments(text: string, mark: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text.replaceAll(mark, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** The result of a tool between marks, as sections of pages stand between them; what is too long is cut. */
export function resultText({ text, isError }: { text: string; isError: boolean }, mark: string): string {
  const words = text.replaceAll(mark, '').slice(0, maxResult)
  const heading = isError ? 'The tool says that it failed:' : 'The tool answers:'
  return `${heading}\nBEGIN ${mark}\n${words}\nEND ${mark}`
}
