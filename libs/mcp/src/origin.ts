/**
 * Whether a browser sent the request from a page of another origin than these. Programs send no Origin. The header Host proves nothing: a
 * page whose name was made to lead here has the same in both (DNS rebinding).
 */
export function isForeignOrigin(origin: string | undefined, own: readonly string[]): boolean {
  return origin !== undefined && !own.includes(origin.toLowerCase())
}
