// Exported sites search without a server; see optional/exported-search.ts.
export {}
