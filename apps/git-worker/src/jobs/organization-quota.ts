/** Places of a worker that one organization may take: half of them; one where there is only one. */
export function shareOf(places: number): number {
  return Math.max(1, Math.floor(places / 2))
}

/** The places of a worker that each organization holds. */
export class OrganizationQuota {
  readonly #share: number
  readonly #held = new Map<string, number>()

  constructor(places: number) {
    this.#share = shareOf(places)
  }

  /** Takes a place, and returns what gives it back; undefined when the organization has its share. */
  take(organizationId: string): (() => void) | undefined {
    const held = this.#held.get(organizationId) ?? 0
    if (held >= this.#share) return undefined
    this.#held.set(organizationId, held + 1)
    return () => this.#release(organizationId)
  }

  #release(organizationId: string): void {
    const held = (this.#held.get(organizationId) ?? 0) - 1
    if (held > 0) this.#held.set(organizationId, held)
    else this.#held.delete(organizationId)
  }
}
