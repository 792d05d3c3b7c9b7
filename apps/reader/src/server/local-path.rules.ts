/**
 * The path that a request is sent to first: without a slash at its end and without empty parts, which a browser could take for another
 * host. The root of a site has its slash. Undefined for a path that is as it must be.
 */
export function cleanedPath(path: string, mountPath: string): string | undefined {
  const joined = `/${path.split(/[/\\]/).filter(Boolean).join('/')}`
  const cleaned = joined === mountPath ? `${mountPath}/` : joined
  return cleaned === path ? undefined : cleaned
}
