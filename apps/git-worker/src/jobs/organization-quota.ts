/** The number of slots of a worker that one organization may take: half of them, and at least one. */
export function shareOf(slots: number): number {
  return Math.max(1, Math.floor(slots / 2))
}

/** Limits how many slots of a worker each organization holds. */
export class OrganizationQuota {
  readonly #share: number
  readonly #slots = new Map<string, number>()

  constructor(slots: number) {
    this.#share = shareOf(slots)
  }

  /** Takes a slot and returns the function that releases it; undefined when the organization has its share. */
  take(organizationId: string): (() => void) | undefined {
    const count = this.#slots.get(organizationId) ?? 0
    if (count >= this.#share) return undefined
    this.#slots.set(organizationId, count + 1)
    return () => this.#release(organizationId)
  }

  #release(organizationId: string): void {
    const count = (this.#slots.get(organizationId) ?? 0) - 1
    if (count > 0) this.#slots.set(organizationId, count)
    else this.#slots.delete(organizationId)
  }
}
