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

/** The modules of the SDK that a client needs. */
export type ClientSdk = Awaited<ReturnType<typeof loadForClients>>

let clientSdk: Promise<ClientSdk> | undefined

/** Loads the SDK with the first connection. */
export function loadClientSdk(): Promise<ClientSdk> {
  clientSdk ??= loadForClients()
  return clientSdk
}

async function loadForClients() {
  const [client, http, sse, types, validation] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/client/sse.js'),
    import('@modelcontextprotocol/sdk/types.js'),
    import('@modelcontextprotocol/sdk/validation/ajv'),
  ])
  return {
    Client: client.Client,
    HttpTransport: http.StreamableHTTPClientTransport,
    SseTransport: sse.SSEClientTransport,
    types,
    validator: new validation.AjvJsonSchemaValidator(),
  }
}
