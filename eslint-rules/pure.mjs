import { isOnlyTypes, visitImports } from './imports.mjs'

const impure = [
  /^node:(?:fs|net|https?|http2|tls|dgram|dns|child_process|worker_threads)(?:\/|$)/,
  /^@recto\/(?:database|bus|blobs|service|outgoing|http)(?:\/|$)/,
  /\.(?:repository|entity)\.ts$/,
  /^\..*\/context\.ts$/,
]

/** Rules and policies decide from their arguments alone: of what reads or writes anything they import types only. */
export const pure = {
  meta: { type: 'problem', schema: [], messages: { impure: 'rules and policies are pure: {{name}} is not' } },
  create(context) {
    if (!/\.(?:rules|policy)\.ts$/.test(context.filename)) return {}
    return visitImports((node, name) => {
      if (!isOnlyTypes(node) && impure.some(pattern => pattern.test(name)))
        context.report({ node, messageId: 'impure', data: { name } })
    })
  },
}
