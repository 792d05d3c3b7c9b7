/** A subquery for the hostname that a site waits for, if any. */
export function pendingHostnameOf(site: string): string {
  return `(select hostname from custom_hostnames where custom_hostnames.site_id = ${site} and state = 'pending' limit 1)`
}
