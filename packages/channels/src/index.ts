export type * from './ledger.ts'
