import type { Db, Transaction } from '@recto/database'
import { createWorker, type RunningJob, type Worker } from '@recto/jobs'
import type { RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import type { CustomHostnameRow } from '../hostnames/custom-hostname.entity.ts'
import * as claims from '../hostnames/custom-hostnames.repository.ts'
import { checkClaim, proofRecord, type TxtRecords } from '../hostnames/hostname-proof.rules.ts'
import type { ResolveTxt } from '../hostnames/resolve-txt.ts'
import * as structures from '../structure/structure.repository.ts'
import { publishSiteChanged } from './site-events.ts'
import * as sites from './sites.repository.ts'

interface CheckOptions {
  db: Db
  transaction: RunTransaction
  resolveTxt: ResolveTxt
  sitesUrl: string
  log: Log
}

/** Checks the DNS records of hostnames when they are due; a site is shown at its hostname while that is proven. */
export function hostnameChecks({ db, transaction, resolveTxt, sitesUrl, log }: CheckOptions): Worker {
  return createWorker<CustomHostnameRow>({
    name: 'hostnames',
    table: claims.claimJobs,
    wokenBy: ['custom_hostnames'],
    db,
    transaction,
    log,
    concurrency: 4,
    every: 1_000,
    heartbeat: claims.checkLease / 3,
    timeoutMs: claims.checkLease,
    async attempt(claim, job) {
      const records = await resolveTxt(proofRecord(claim).name)
      await transaction(tx => settle(tx, { claim, job, records, sitesUrl }))
    },
    giveUp: async () => undefined,
  })
}

interface Check {
  claim: CustomHostnameRow
  job: RunningJob<CustomHostnameRow>
  records: TxtRecords
  sitesUrl: string
}

/** Writes what a check found, and where sites are shown since. */
async function settle(tx: Transaction, { claim, job, records, sitesUrl }: Check): Promise<void> {
  const { hostname } = claim
  await lockSites(tx, await claims.claimsTo(tx, hostname))
  const rivals = (await claims.claimsTo(tx, hostname)).filter(({ id }) => id !== claim.id)
  const holder = rivals.find(({ state }) => state !== 'pending')
  const now = new Date()
  const after = checkClaim(claim, { records, other: holder, now })
  await job.finish(tx, after)
  if (after.state !== 'proven') {
    if (claim.state === 'proven') await showAt(tx, claim, { hostname: null, sitesUrl })
    return
  }
  if (holder) {
    await claims.update(tx, holder.id, { state: 'pending', fault: 'taken', failingSince: null, dueAt: now })
    await showAt(tx, holder, { hostname: null, sitesUrl })
  }
  await claims.removeOthers(tx, claim.siteId, [hostname])
  await showAt(tx, claim, { hostname, sitesUrl })
}

/** Locks the sites that claim a hostname, in one order, so that two checks never wait for each other. */
async function lockSites(tx: Transaction, rows: readonly CustomHostnameRow[]): Promise<void> {
  for (const siteId of rows.map(row => row.siteId).toSorted()) await sites.lock(tx, siteId)
}

/** Shows the site of a claim at its hostname, or no more (null); a site that is elsewhere by now stays there. */
async function showAt(
  tx: Transaction,
  claim: CustomHostnameRow,
  { hostname, sitesUrl }: { hostname: string | null; sitesUrl: string },
): Promise<void> {
  const site = await sites.find(tx, claim.siteId)
  const isThere = site?.hostname === claim.hostname
  if (!site || isThere === (hostname !== null)) return
  const structure = await structures.load(tx, site.id)
  await sites.update(tx, site.id, { hostname })
  await publishSiteChanged(
    tx,
    { before: { site, structure }, after: { site: { ...site, hostname }, structure } },
    { sitesUrl },
  )
}
