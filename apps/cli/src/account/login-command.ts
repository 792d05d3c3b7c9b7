import { ApiFailure, callApi, type Connection } from '../api/api-client.ts'
import { operations } from '../api/operations.ts'
import { type CommandInput, UsageFailure } from '../terminal/command.ts'
import { accountSettings } from '../terminal/config.ts'
import {
  apiAddress,
  chooseAccount,
  withLogin,
  withoutToken,
  withToken,
  type Credentials,
  type Renewal,
} from './credentials.rules.ts'
import { changeCredentials, readCredentials } from './credentials-file.ts'
import { endLogin, findServer, logInByBrowser, type DeviceCode, type Login } from './oauth.ts'
import { pipedSecret, typeSecret } from './read-secret.ts'
import { renewedToken } from './renew-account.ts'

/** Logs in for `recto login`, or shows who is. */
export async function logIn(input: CommandInput): Promise<number> {
  return input.options['status'] === true ? showStatus(input) : login(input)
}

/** Deletes the saved token of an installation for `recto logout`. */
export async function logOut(input: CommandInput): Promise<number> {
  const { credentialsFile } = accountSettings()
  const credentials = await readCredentials(credentialsFile)
  const url = addressOperand(input) ?? credentials.current
  if (url === undefined || !Object.hasOwn(credentials.tokens, url))
    throw new UsageFailure(`Nobody is logged in${url === undefined ? '' : ` at ${url}`}`)
  await replaceLogin(input, url, current => withoutToken(current, url))
  report(input, { url, loggedIn: false }, `Logged out of ${url}`)
  return 0
}

async function login(input: CommandInput): Promise<number> {
  const { credentialsFile, url: environmentUrl } = accountSettings()
  const credentials = await readCredentials(credentialsFile)
  const url =
    addressOperand(input) ??
    (environmentUrl === undefined ? credentials.current : (apiAddress(environmentUrl) ?? undefined))
  if (url === undefined) throw new UsageFailure('recto login needs URL, the address of the installation')
  await requireApi(url, input)
  const login = (await loginByBrowser(input, url)) ?? { token: await readToken(input, url) }
  const user = await userOf({ url, token: login.token }, input)
  await replaceLogin(input, url, current =>
    'renewal' in login ? withLogin(current, url, login) : withToken(current, url, login.token),
  )
  report(input, { url, loggedIn: true, user }, `Logged in at ${url} as ${user.displayName}`)
  return 0
}

/** Saves other credentials for an address, and ends the login by a browser that they replace. */
async function replaceLogin(
  input: CommandInput,
  url: string,
  change: (current: Credentials) => Credentials,
): Promise<void> {
  let former: Renewal | undefined
  await changeCredentials(accountSettings().credentialsFile, input.terminal.signal, current => {
    former = current.renewals?.[url]
    return change(current)
  })
  if (former) await endLoginAt(input, url, former)
}

/** A login by a browser; undefined where a token is to be typed, as for an installation of before. */
async function loginByBrowser({ options, terminal }: CommandInput, url: string): Promise<Login | undefined> {
  if (options['token'] === true || options['token-stdin'] === true) return undefined
  const server = await findServer(url, terminal.signal)
  if (!server) return undefined
  const show = ({ userCode, address, fullAddress }: DeviceCode) => {
    terminal.note(`Open ${fullAddress}`)
    terminal.note(`or ${address}, and compare or enter the code ${userCode}`)
  }
  return logInByBrowser(server, show, terminal.signal)
}

/** Throws `UsageFailure` for an address of something else, before anybody signs in there or types a token for it. */
async function requireApi(url: string, input: CommandInput): Promise<void> {
  try {
    await userOf({ url, token: 'none' }, input)
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 401)) throw error
  }
}

/** Ends a login at the installation; the token is gone here in any case. */
async function endLoginAt({ terminal }: CommandInput, url: string, renewal: Renewal): Promise<void> {
  try {
    await endLogin(url, renewal, terminal.signal)
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    terminal.note(`${url} has not ended the login: end it in the list of your grants`)
  }
}

async function showStatus(input: CommandInput): Promise<number> {
  const { credentialsFile, ...override } = accountSettings()
  const credentials = await readCredentials(credentialsFile)
  const account = chooseAccount(credentials, override, addressOperand(input))
  if (typeof account === 'string') {
    report(input, { loggedIn: false }, account)
    return 1
  }
  const isSaved = account.token === credentials.tokens[account.url]
  const renewed = isSaved ? await renewedToken(credentialsFile, account.url, input.terminal.signal) : undefined
  const user = await userOf({ url: account.url, token: renewed ?? account.token }, input)
  report(input, { url: account.url, loggedIn: true, user }, `Logged in at ${account.url} as ${user.displayName}`)
  return 0
}

async function userOf(connection: Connection, { terminal }: CommandInput) {
  try {
    return await callApi(connection, operations.getUser, { params: {}, signal: terminal.signal })
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404)
      throw new UsageFailure(`${connection.url} is not the address of an API: it may be that of a site`)
    throw error
  }
}

async function readToken({ options, terminal }: CommandInput, url: string): Promise<string> {
  const isPiped = options['token-stdin'] === true
  const show = () => terminal.note(`Token for ${url} (it is not shown):`)
  const token = isPiped ? await pipedSecret(process.stdin) : await typeSecret(process.stdin, show)
  if (token === '' || /\s/.test(token)) throw new UsageFailure('The token is empty, or has spaces')
  return token
}

function addressOperand({ operands: [text] }: CommandInput): string | undefined {
  if (text === undefined) return undefined
  const url = apiAddress(text)
  if (url === undefined) throw new UsageFailure(`${text} is no address over HTTP`)
  return url
}

function report({ options, terminal }: CommandInput, result: object, text: string): void {
  terminal.write(options['json'] === true ? `${JSON.stringify(result)}\n` : `${text}\n`)
}
