/** Where a space of a site answers programs of the Model Context Protocol, below its own path. */
export const mcpPath = '~gitbook/mcp'
/** The same in short; a page of that path stays readable, since pages are read by GET. */
const shortPath = 'mcp'

/** Whether a path in a space is that of its MCP server. */
export function isMcpPath(pathInSpace: string): boolean {
  return pathInSpace === mcpPath || pathInSpace === shortPath
}

/** Whether a request is one of the Model Context Protocol: it is no GET, and its path ends as the address of a server does. */
export function isMcpRequest({ method, path }: { method: string; path: string }): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS' && path.endsWith(`/${shortPath}`)
}

/** The path of a server with the key of a share link before it, as addresses of the site have it. */
export function withShareKey(path: string, key: string): string {
  const end = path.endsWith(`/${mcpPath}`) ? mcpPath : shortPath
  return `${path.slice(0, -end.length)}${encodeURIComponent(key)}/${end}`
}
