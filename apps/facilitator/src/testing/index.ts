export { measureEscrowPairs, measureVerify, type Load } from './load.ts'
export * from './payments.ts'
