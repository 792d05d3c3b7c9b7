/** The e-mail of a service account, which no message reaches: users have one each (RFC 2606 reserves `.invalid`). */
export function serviceAccountEmail(id: string): string {
  return `${id.toLowerCase()}@service-accounts.invalid`
}
