import { scopeGroups } from '@recto/operation'

const prefix = '/.well-known/oauth-protected-resource'
const resources: Partial<Record<string, string>> = { '': '/v1', '/v1': '/v1', '/mcp': '/mcp' }

/** The metadata of the API, or of its tools, as a protected resource (RFC 9728); undefined for another path. */
export function protectedResource(path: string, publicUrl: string): object | undefined {
  const resource = path.startsWith(prefix) ? resources[path.slice(prefix.length)] : undefined
  if (resource === undefined) return undefined
  return {
    resource: `${publicUrl}${resource}`,
    resource_name: 'Recto',
    authorization_servers: [publicUrl],
    // Programs that know no more ask for all of these: the group that issues tokens is none of them.
    scopes_supported: scopeGroups.filter(group => group !== 'admin'),
    bearer_methods_supported: ['header'],
  }
}
