import { databaseServiceConfig, readConfig } from '@recto/service'
import { z } from 'zod'
import { signingFault, type Signing } from './signing-key'

/** Also as one line, with `\n` written as two characters. */
const pem = z.string().transform(text => text.replaceAll(String.raw`\n`, '\n'))

const schema = databaseServiceConfig
  .extend({
    DATABASE_URL_IDENTITY: z.string(),
    ADMIN_TOKEN: z.string().min(32, 'must have at least 32 characters').optional(),
    ADMIN_EMAIL: z.email().default('admin@localhost.localdomain'),
    SAML_SIGNING_KEY: pem.optional().describe('RSA, PEM: requests of single sign-on are signed with it'),
    SAML_SIGNING_CERTIFICATE: pem.optional().describe('Of this key, PEM'),
    SSO_TOKEN_TTL: z.coerce
      .number()
      .int()
      .min(60)
      .default(86_400)
      .describe('Seconds that a token of single sign-on lives'),
  })
  .superRefine((given, { addIssue }) => {
    const message = signingFault({ key: given.SAML_SIGNING_KEY, certificate: given.SAML_SIGNING_CERTIFICATE })
    if (message) addIssue({ code: 'custom', path: ['SAML_SIGNING_KEY'], message })
  })

/** Settings of the identity service. */
export type Config = z.output<typeof schema>

/** What requests of single sign-on are signed with, if they are. */
export function signingOf({
  SAML_SIGNING_KEY: key,
  SAML_SIGNING_CERTIFICATE: certificate,
}: Config): Signing | undefined {
  return key !== undefined && certificate !== undefined ? { key, certificate } : undefined
}

/** Reads them from the environment, or from what tests give instead. */
export const config = (env?: Record<string, string | undefined>): Config => readConfig(schema, env)
