import { randomBytes } from 'node:crypto'
import type { gitSync } from '@recto/contracts-git-worker'
import type { GitCredentials } from '@recto/contracts-git-worker-bus'
import type { Transaction } from '@recto/database'
import { changedFields, createId, fieldFault, type Input, type Secrets } from '@recto/operation'
import type { z } from 'zod'
import type { Context } from '../shared/context.ts'
import { splitRepositoryUrl } from '../operations/git-operations.rules.ts'
import { seal, unseal } from '../shared/credentials.ts'
import type { GitSyncRow } from './git-sync.entity.ts'
import { isSameSource, nextPoll } from './git-sync.rules.ts'
import { previewsOfRequest, sealStatusApi, statusApiOf } from './preview-settings.ts'
import * as syncs from './git-syncs.repository.ts'

type Credentials = z.output<typeof GitCredentials>
type Settings = Input<typeof gitSync.setGitSync>['body']

const secretBytes = 32

/** The credentials of a synchronisation. */
export function credentialsOf(sync: GitSyncRow, key: Secrets): Credentials | undefined {
  return sync.credentials ? unseal<Credentials>(sync.credentials, sync.id, key) : undefined
}

/** The secret of a synchronisation's webhook. */
export function webhookSecretOf({ id, webhookSecret }: Pick<GitSyncRow, 'id' | 'webhookSecret'>, key: Secrets): string {
  return unseal<string>(webhookSecret, `webhook ${id}`, key)
}

/** Encrypts the secret of a webhook. */
export function sealWebhookSecret(secret: string, id: string, key: Secrets): Buffer {
  return seal(secret, `webhook ${id}`, key)
}

/** Saves the synchronisation of a locked space. Returns which settings changed, and the secret of the webhook when it was generated. */
export async function saveSync(
  tx: Transaction,
  { spaceId, settings }: { spaceId: string; settings: Settings },
  { actor, encryptionKey: key }: Pick<Context, 'actor' | 'encryptionKey'>,
): Promise<{ sync: GitSyncRow; before?: GitSyncRow; generated?: string; changed: string[] }> {
  const before = await syncs.lock(tx, spaceId)
  const { url, credentials: inUrl } = splitRepositoryUrl(settings.url, 'url')
  const source = { url, ref: settings.ref, projectDirectory: settings.repoProjectDirectory ?? '' }
  const isSameSync = before !== undefined && isSameSource(before, source)
  const id = isSameSync ? before.id : createId()
  // Credentials and secret never go to another repository.
  const sameRepository = before?.url === url ? before : undefined
  const requestedCredentials = credentialsOfRequest(settings, inUrl)
  const credentials =
    requestedCredentials === undefined ? sameRepository && credentialsOf(sameRepository, key) : requestedCredentials
  const generated =
    settings.webhookSecret || (sameRepository && settings.webhookSecret === undefined) ? undefined : aSecret()
  const secret = settings.webhookSecret ?? generated ?? (sameRepository && webhookSecretOf(sameRepository, key)) ?? ''
  const { direction, pollInterval, initial = direction === 'export' ? 'export' : 'import' } = settings
  const now = new Date()
  const requested = previewsOfRequest(settings, { url, current: sameRepository && previewsIn(sameRepository, key) })
  const sync: GitSyncRow = {
    ...(isSameSync ? before : { ...newSyncState, createdAt: now, initial, spaceId, id }),
    ...source,
    direction,
    pollInterval,
    commitMessage: settings.commitMessageTemplate ?? null,
    credentials: credentials ? seal(credentials, id, key) : null,
    webhookSecret: sealWebhookSecret(secret, id, key),
    previews: requested.previews && { ...requested.previews, ...(!isSameSync && { since: null }) },
    statusToken: sealStatusApi(requested.api, id, key),
    failures: 0,
    error: null,
    dueAt: nextPoll({ direction, pollInterval }, now),
    createdBy: actor.userId,
    updatedAt: now,
  }
  await syncs.save(tx, sync)
  const changed = changedFields(before ? settingsIn(before, key) : {}, settingsIn(sync, key))
  return { sync, changed, ...(before && { before }), ...(generated !== undefined && { generated }) }
}

/** The settings of a synchronisation, as they are compared; those that are encrypted differ each time. */
function settingsIn(sync: GitSyncRow, key: Secrets) {
  const { url, ref, projectDirectory, direction, pollInterval, commitMessage } = sync
  const { forge, apiUrl, access } = sync.previews ?? {}
  const previews = sync.previews ? JSON.stringify([forge, apiUrl, access]) : null
  const secrets = {
    credentials: readable(() => credentialsOf(sync, key)),
    webhookSecret: readable(() => webhookSecretOf(sync, key)),
    statusToken: readable(() => statusApiOf(sync, key)?.token),
  }
  return {
    previews: previews ?? undefined,
    url,
    ref,
    projectDirectory,
    direction,
    pollInterval,
    commitMessage,
    ...secrets,
  }
}

/** The previews of a synchronisation with the same repository. A token whose key is lost can be replaced. */
function previewsIn(sync: GitSyncRow, key: Secrets) {
  const api = readable(() => statusApiOf(sync, key))
  return { previews: sync.previews, api: typeof api === 'symbol' ? null : api }
}

/** A stored secret, or a value unlike any other where its key is lost: then it can still be replaced. */
function readable<T>(open: () => T): T | symbol {
  try {
    return open()
  } catch {
    return Symbol('unreadable')
  }
}

const newSyncState = { syncedRevision: null, syncedCommit: null, pollId: null, askId: null, recheck: false }

/** The credentials of a request: null deletes the stored ones, undefined keeps them. */
function credentialsOfRequest(
  { credentials }: Settings,
  inUrl: Credentials | undefined,
): Credentials | null | undefined {
  if (credentials !== undefined && inUrl)
    throw fieldFault('body.credentials', 'must be left out when the URL has credentials or a query')
  return credentials === undefined ? inUrl : credentials
}

const aSecret = () => randomBytes(secretBytes).toString('base64url')
