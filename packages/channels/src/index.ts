export type * from './ledger.ts'

// Addresses and bytes.
export * from './account.ts'
export * from './addresses.ts'
export * from './splits.ts'
export * from './voucher.ts'

// Instructions.
export * from './channel-instructions.ts'
export * from './other-instructions.ts'
export type { AccountMeta, Instruction } from './instruction.ts'

// Transactions.
export * from './transaction.ts'
