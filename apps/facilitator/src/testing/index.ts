export { measureEscrowPairs, measureVerify, type Load, type Payer } from './load.ts'
export * from './payments.ts'
export * from './in-process.ts'
export { facilitatorSchema } from './facilitator-schema.ts'
