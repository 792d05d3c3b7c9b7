export * from './actor.ts'
export * from './require-role.ts'
export * from './token.ts'
