export { measureEscrowPairs, measureVerify, type Load } from './load.ts'
export * from './payments.ts'
export * from './in-process.ts'
