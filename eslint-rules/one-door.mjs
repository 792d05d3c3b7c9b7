/** Where each vendor may be imported: paths, or parts of file names. */
const doors = {
  express: ['libs/http/', 'apps/gateway/', 'apps/reader/', 'bench/'],
  preact: ['apps/reader/'],
  shiki: ['apps/reader/src/blocks/'],
  katex: ['apps/reader/src/blocks/'],
  // Only in a frame without an origin.
  mermaid: ['apps/reader/src/browser/frame/'],
  '@nats-io/': ['libs/bus/', 'bench/'],
  typeorm: ['libs/database/', 'libs/jobs/', '.entity.ts', '.repository.ts', '/migrations/'],
  pg: ['libs/database/', 'libs/embedded/', 'libs/testing/', 'libs/backup/', 'bench/'],
  'pg-copy-streams': ['libs/backup/'],
  'isomorphic-git': ['apps/git-worker/'],
  '@opentelemetry/sdk': ['libs/telemetry/'],
  '@aws-sdk/': ['libs/blobs/'],
  '@flystorage/': ['libs/blobs/'],
  pdfkit: ['libs/pdf/'],
  undici: ['libs/outgoing/'],
  'eventsource-parser': ['libs/engine/'],
  '@modelcontextprotocol/': ['libs/mcp/', 'libs/testing/', 'e2e/'],
  '@node-saml/': ['apps/identity/src/saml/'],
  '@xmldom/': ['apps/identity/src/saml/'],
  'openid-client': ['libs/openid/'],
  'oidc-provider': ['e2e/', 'apps/identity/src/oauth/'],
  'light-my-request': ['apps/identity/src/oauth/'],
  jose: [
    'libs/openid/',
    'libs/testing/',
    'e2e/src/real-openid-provider',
    'libs/actor/src/visit-request',
    'libs/actor/src/visitor-claims',
    'libs/actor/src/visitor-token',
    'apps/publishing/src/publishing-auth/visitor-jwt',
    '/src/test/',
    '.test.ts',
  ],
  'xml-crypto': ['apps/identity/src/saml/', 'apps/identity/src/test/saml/'],
}

/** One vendor, one door: an import of a vendor outside its door is an error. */
export const oneDoor = {
  meta: { type: 'problem', schema: [], messages: { door: '{{vendor}} may be imported only in {{allowed}}' } },
  create(context) {
    const file = context.filename.replaceAll('\\', '/')
    const check = node => {
      const source = node.source?.value
      if (typeof source !== 'string') return
      for (const [vendor, allowed] of Object.entries(doors)) {
        const isPrefix = vendor.endsWith('/') || vendor.endsWith('sdk')
        const isVendor = isPrefix ? source.startsWith(vendor) : source === vendor || source.startsWith(`${vendor}/`)
        if (isVendor && !allowed.some(door => file.includes(door)))
          context.report({ node, messageId: 'door', data: { vendor, allowed: allowed.join(', ') } })
      }
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    }
  },
}
