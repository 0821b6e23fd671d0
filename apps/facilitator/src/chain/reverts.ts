import type { RpcError } from './rpc-client.ts'

/**
 * A revert in the words of the specification (spec §7, facilitator errors). `reason` names the contract's own error.
 */
export type Revert = { readonly code: RevertCode; readonly reason: string }
export type RevertCode =
  | 'insufficient_balance'
  | 'invalid_signature'
  | 'expired_authorization'
  | 'nonce_already_used'
  | 'operator_not_registered'
  | 'PaymentInfoInvalid'
  | 'ContractCall'

const customErrors: Readonly<Record<string, readonly [code: RevertCode, name: string]>> = {
  '0xc46cf60f': ['expired_authorization', 'AfterPreApprovalExpiry'],
  '0x36f2d211': ['expired_authorization', 'AfterAuthorizationExpiry'],
  '0xad7c145a': ['nonce_already_used', 'PaymentAlreadyCollected'],
  '0xe1130dba': ['operator_not_registered', 'InvalidSender'],
  '0x741926a1': ['operator_not_registered', 'ConditionNotMet'],
  '0x1f2a2005': ['PaymentInfoInvalid', 'ZeroAmount'],
  '0x6c0442a2': ['PaymentInfoInvalid', 'AmountOverflow'],
  '0x092af19e': ['PaymentInfoInvalid', 'ExceedsMaxAmount'],
  '0x88ef0760': ['PaymentInfoInvalid', 'InvalidExpiries'],
  '0xbf47e3f7': ['PaymentInfoInvalid', 'FeeBpsOverflow'],
  '0x0950d5d0': ['PaymentInfoInvalid', 'InvalidFeeBpsRange'],
  '0x0b345f0c': ['PaymentInfoInvalid', 'FeeBpsOutOfRange'],
  '0xb6802b7f': ['PaymentInfoInvalid', 'ZeroFeeReceiver'],
  '0x4caf6a34': ['PaymentInfoInvalid', 'InvalidFeeReceiver'],
  '0xd200485c': ['PaymentInfoInvalid', 'InvalidFeeReceiver'],
  '0xa465d66c': ['PaymentInfoInvalid', 'FeeBoundsIncompatible'],
  '0x5313287d': ['PaymentInfoInvalid', 'InvalidCollectorForOperation'],
  '0x05b4a600': ['PaymentInfoInvalid', 'ForbiddenReceiver'],
  '0xf4613197': ['PaymentInfoInvalid', 'DepositLimitExceeded'],
  '0x8c242285': ['nonce_already_used', 'NonceAlreadyUsed'],
  '0x8baa579f': ['invalid_signature', 'InvalidSignature'],
  '0xcd21db4f': ['expired_authorization', 'SignatureExpired'],
  '0xf167fad1': ['ContractCall', 'WrongRegistry'],
  '0xe450d38c': ['insufficient_balance', 'ERC20InsufficientBalance'],
  '0x3c73c4a0': ['ContractCall', 'TokenCollectionFailed'],
  '0x604b0947': ['ContractCall', 'InsufficientAuthorization'],
  '0x93bb7a12': ['ContractCall', 'ZeroAuthorization'],
  '0xaa5674ad': ['ContractCall', 'BeforeAuthorizationExpiry'],
  '0x94271bde': ['ContractCall', 'AfterRefundExpiry'],
  '0x6295d604': ['ContractCall', 'RefundExceedsCapture'],
  '0xab143c06': ['ContractCall', 'Reentrancy'],
  '0x3a4366b7': ['ContractCall', 'PartialVoidExceedsCapturable'],
  '0x7e273289': ['ContractCall', 'ERC721NonexistentToken'],
}

const revertStrings: readonly (readonly [pattern: RegExp, code: RevertCode])[] = [
  [/exceeds balance|insufficient balance/i, 'insufficient_balance'],
  [/authorization is used|already used/i, 'nonce_already_used'],
  [/authorization is expired|expired/i, 'expired_authorization'],
  [/invalid signature|ECRecover|SignatureChecker/i, 'invalid_signature'],
]

/** Undefined when the node failed rather than the contract: that is no verdict. */
export function decodeRevert(error: RpcError): Revert | undefined {
  const data = revertData(error.data)
  if (data === undefined && outOfGas.test(error.message)) return { code: 'ContractCall', reason: 'it runs out of gas' }
  if (data === undefined && error.code !== 3 && !/revert/i.test(error.message)) return undefined
  if (data === undefined || data.length < 10) return { code: 'ContractCall', reason: 'reverted without a reason' }
  const selector = data.slice(0, 10)
  if (selector === '0x08c379a0') return fromString(decodeString(data))
  if (selector === '0x4e487b71') return { code: 'ContractCall', reason: `panic 0x${data.slice(-2)}` }
  const known = customErrors[selector]
  return known === undefined
    ? { code: 'ContractCall', reason: `selector=${selector}` }
    : { code: known[0], reason: known[1] }
}

/** Code that burns whatever it is given: that is its own doing and not the node's. */
const outOfGas = /out ?of ?gas|gas required exceeds/i

function fromString(text: string): Revert {
  const code = revertStrings.find(([pattern]) => pattern.test(text))?.[1] ?? 'ContractCall'
  return { code, reason: text }
}

function decodeString(data: string): string {
  const length = Number.parseInt(data.slice(74, 138), 16)
  // The text is the contract's, so only printable characters pass into an answer.
  return Buffer.from(data.slice(138, 138 + Math.min(length, 200) * 2), 'hex')
    .toString('utf8')
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '')
}

// Nodes disagree on where the data is: a plain string, or inside an object.
function revertData(data: unknown): string | undefined {
  if (typeof data === 'string') {
    const hex = /0x[0-9a-f]*/i.exec(data)?.[0]
    return hex?.toLowerCase()
  }
  if (typeof data === 'object' && data !== null && 'data' in data) return revertData(data.data)
  return undefined
}
