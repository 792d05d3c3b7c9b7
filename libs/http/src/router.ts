import findMyWay, { type HTTPVersion, type Instance } from 'find-my-way'

const maxParameterLength = 2048

/** Creates a radix router that takes parameters of any length that a path may have. */
export function createRouter(): Instance<HTTPVersion.V1> {
  return findMyWay({ ignoreTrailingSlash: true, maxParamLength: maxParameterLength })
}

/** Writes the parameters of a path as the router does: `{name}` as `:name`. */
export function parameterized(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
