import { databaseServiceConfig, readConfig } from '@recto/service'
import { z } from 'zod'
import { signingKeyFault, type SigningKey } from './signing-key.ts'

/** PEM, also on one line with its line breaks written as `\n`. */
const pem = z.string().transform(text => text.replaceAll(String.raw`\n`, '\n'))

/** The variables of the identity service. */
export const settings = databaseServiceConfig
  .extend({
    DATABASE_URL_IDENTITY: z
      .string()
      .describe('The database of the service: `postgres://user:password@host:port/name`'),
    ADMIN_TOKEN: z
      .string()
      .min(32, 'must have at least 32 characters')
      .optional()
      .describe(
        'Token of the first administrator, 32 characters or more; used at the first start, generated without it',
      ),
    ADMIN_EMAIL: z
      .email()
      .default('admin@localhost.localdomain')
      .describe('E-mail of the first administrator, used at the first start'),
    SAML_SIGNING_KEY: pem
      .optional()
      .describe('RSA key as PEM that signs SAML authentication requests; they are not signed without it'),
    SAML_SIGNING_CERTIFICATE: pem.optional().describe('Certificate of SAML_SIGNING_KEY as PEM'),
    SSO_TOKEN_TTL: z.coerce
      .number()
      .int()
      .min(60)
      .default(86_400)
      .describe('Seconds for which a token of single sign-on is valid at most'),
    OUTGOING_ALLOW: z
      .string()
      .default('')
      .describe(
        'Private addresses that may be reached, by commas: hosts, host:port and CIDR blocks; none unless named',
      ),
    OIDC_TIMEOUT: z.coerce
      .number()
      .int()
      .min(100)
      .default(10_000)
      .describe('Milliseconds for an OpenID provider to answer a request'),
    OAUTH_ACCESS_TOKEN_TTL: z.coerce
      .number()
      .int()
      .min(60)
      .default(3_600)
      .describe('Seconds for which an access token of a program is valid'),
    OAUTH_GRANT_TTL: z.coerce
      .number()
      .int()
      .min(3_600)
      .default(7_776_000)
      .describe('Seconds after which a program must be allowed again, however often it renews its tokens'),
    OAUTH_REGISTRATION_ALLOW: z
      .string()
      .default('loopback')
      .describe(
        'Where programs that register themselves may send people back to, by commas: `loopback`, hosts such as `vscode.dev`, `*.example.com`, and schemes such as `cursor:`; empty for no registration',
      ),
    SESSION_IDLE_TTL: z.coerce
      .number()
      .int()
      .min(60)
      .default(3_600)
      .describe('Seconds after which an unused session at the authorization pages ends'),
    SESSION_TTL: z.coerce
      .number()
      .int()
      .min(60)
      .default(43_200)
      .describe('Seconds after which a session at the authorization pages ends, used or not'),
  })
  .superRefine((values, { addIssue }) => {
    const message = signingKeyFault({ key: values.SAML_SIGNING_KEY, certificate: values.SAML_SIGNING_CERTIFICATE })
    if (message) addIssue({ code: 'custom', path: ['SAML_SIGNING_KEY'], message })
  })

/** Settings of the identity service. */
export type Config = z.output<typeof settings>

/** The key that signs SAML authentication requests; undefined when none is configured. */
export function samlSigningKey({
  SAML_SIGNING_KEY: key,
  SAML_SIGNING_CERTIFICATE: certificate,
}: Config): SigningKey | undefined {
  return key !== undefined && certificate !== undefined ? { key, certificate } : undefined
}

/** Reads the settings from the environment, or from `env`; throws an error that names each faulty variable. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(settings, env)
