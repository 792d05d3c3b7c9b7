/** The modules of the SDK that a server needs. */
export type Sdk = Awaited<ReturnType<typeof load>>

let sdk: Promise<Sdk> | undefined

/** Loads the SDK with the first request, so that a process which gets none starts without it. */
export function loadSdk(): Promise<Sdk> {
  sdk ??= load()
  return sdk
}

async function load() {
  const [server, transport, types, validation] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
    import('@modelcontextprotocol/sdk/validation/ajv'),
  ])
  return {
    Server: server.Server,
    Transport: transport.WebStandardStreamableHTTPServerTransport,
    types,
    // One for all servers: each would make an instance of its own.
    validator: new validation.AjvJsonSchemaValidator(),
  }
}
