export * from './actor.ts'
export * from './effective-role.ts'
export * from './require-role.ts'
export * from './token.ts'
