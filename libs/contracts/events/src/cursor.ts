/** The pattern of a place in the record of an organization: a sequence with the beginning of its hash, or 0 for the beginning. */
export const cursorPattern = String.raw`0|[1-9]\d{0,9}-[0-9a-f]{16}`
