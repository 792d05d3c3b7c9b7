/** A NATS user and the subjects it may use; `['>']` allows all subjects. */
export interface NatsUser {
  name: string
  password: string
  publish: string[]
  subscribe: string[]
  /** May respond on the reply subject of any request. */
  allowResponses?: boolean
}

/** The place of a server in a cluster. */
export interface NatsCluster {
  /** The name of this server, which no other one has. */
  serverName: string
  port: number
  /** Where servers that hear of this one from another reach it, as `host:port`. */
  advertise: string
  /** Where this server reaches the others, as `host:port`. */
  routes: string[]
}

/** Values of the server's configuration; paths are those in the server's file system. */
export interface NatsConfig {
  /** 127.0.0.1 when absent: only a container listens on another address. */
  host?: string
  port: number
  /** Where the server answers /healthz and its metrics; nowhere when absent. */
  monitorPort?: number
  storeDir: string
  pidFile: string
  users: NatsUser[]
  maxPayload?: number | undefined
  /** A single server when absent. */
  cluster?: NatsCluster | undefined
}

/** Renders the server's configuration file: JetStream enabled, users with subject permissions. */
export function natsConfig({
  host = '127.0.0.1',
  port,
  monitorPort,
  storeDir,
  pidFile,
  users,
  maxPayload,
  cluster,
}: NatsConfig): string {
  return [
    `listen: "${host}:${port}"`,
    ...(monitorPort === undefined ? [] : [`http: "${host}:${monitorPort}"`]),
    `pid_file: ${quote(pidFile)}`,
    `jetstream { store_dir: ${quote(storeDir)} }`,
    ...(maxPayload === undefined ? [] : [`max_payload: ${maxPayload}`]),
    ...(cluster === undefined ? [] : clusterLines(host, cluster)),
    natsUsers(users),
  ].join('\n')
}

function clusterLines(host: string, { serverName, port, advertise, routes }: NatsCluster): string[] {
  const urls = routes.map(route => quote(`nats://${route}`)).join(', ')
  return [
    `server_name: ${quote(serverName)}`,
    // A server that does not answer is given up before requests that it would have passed on are.
    'ping_interval: "5s"',
    'ping_max: 2',
    `cluster { name: recto, listen: "${host}:${port}", advertise: ${quote(advertise)}, routes: [${urls}] }`,
  ]
}

/** Seconds for a client to sign in: with the default of two, none gets in while a busy machine starts everything again. */
const signInTimeout = 20

/** Renders the users of a server with their subject permissions, a part of its configuration that `include` can name. */
export function natsUsers(users: NatsUser[]): string {
  const entries = users.map(user => `    ${userEntry(user)}`)
  return ['authorization {', `  timeout: ${signInTimeout}`, '  users = [', ...entries, '  ]', '}', ''].join('\n')
}

function userEntry({ name, password, publish, subscribe, allowResponses = false }: NatsUser): string {
  const permissions = [
    `publish: ${subjects(publish)}`,
    `subscribe: ${subjects(subscribe)}`,
    ...(allowResponses ? ['allow_responses: { max: -1, expires: "0s" }'] : []),
  ]
  return `{ user: ${quote(name)}, password: ${quote(password)}, permissions: { ${permissions.join(', ')} } }`
}

// NATS reads an empty allow list as unrestricted, so an empty list is rendered as `deny: [">"]`.
function subjects(list: string[]): string {
  return list.length === 0 ? '{ deny: [">"] }' : `{ allow: [${list.map(quote).join(', ')}] }`
}

function quote(text: string): string {
  return JSON.stringify(text)
}
