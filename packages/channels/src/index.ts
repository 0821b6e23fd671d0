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

// The life of a channel.
export * from './closing.ts'
export * from './end.ts'
export * from './errors.ts'
export * from './life.ts'
export * from './open-verifier.ts'
export { mostComputeUnits, type SponsoredFault } from './sponsored.ts'
export * from './token-account.ts'
export * from './top-up-verifier.ts'

// Payments without a channel.
export * from './direct-payment.ts'
export * from './exact-payment.ts'

// HTTP.
export * from './canonical-json.ts'
export * from './session-action.ts'
export * from './session-credential.ts'
export * from './session-headers.ts'
export { challengeHeader, requestFromWire, requestToWire } from './session-request.ts'
export type { SessionChallenge, SessionNetwork, SessionRequest, VoucherSigner } from './session-request.ts'
