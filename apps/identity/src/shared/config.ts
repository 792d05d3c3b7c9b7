import { databaseServiceConfig, readConfig } from '@recto/service'
import { z } from 'zod'
import { signingKeyFault, type SigningKey } from './signing-key.ts'

/** PEM, also on one line with its line breaks written as `\n`. */
const pem = z.string().transform(text => text.replaceAll(String.raw`\n`, '\n'))

const schema = databaseServiceConfig
  .extend({
    DATABASE_URL_IDENTITY: z.string(),
    ADMIN_TOKEN: z.string().min(32, 'must have at least 32 characters').optional(),
    ADMIN_EMAIL: z.email().default('admin@localhost.localdomain'),
    SAML_SIGNING_KEY: pem.optional().describe('RSA, PEM: signs SAML authentication requests'),
    SAML_SIGNING_CERTIFICATE: pem.optional().describe('Certificate of SAML_SIGNING_KEY, PEM'),
    SSO_TOKEN_TTL: z.coerce
      .number()
      .int()
      .min(60)
      .default(86_400)
      .describe('Lifetime in seconds of a token issued by single sign-on'),
  })
  .superRefine((given, { addIssue }) => {
    const message = signingKeyFault({ key: given.SAML_SIGNING_KEY, certificate: given.SAML_SIGNING_CERTIFICATE })
    if (message) addIssue({ code: 'custom', path: ['SAML_SIGNING_KEY'], message })
  })

/** Settings of the identity service. */
export type Config = z.output<typeof schema>

/** The key that signs SAML authentication requests; undefined when none is configured. */
export function samlSigningKey({
  SAML_SIGNING_KEY: key,
  SAML_SIGNING_CERTIFICATE: certificate,
}: Config): SigningKey | undefined {
  return key !== undefined && certificate !== undefined ? { key, certificate } : undefined
}

/** Reads the settings from the environment, or from `env`; throws an error that names each faulty variable. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(schema, env)
