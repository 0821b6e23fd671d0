import type { Address, Hex } from '../bytes.ts'
import type { TransferAuthorization } from '../eip3009.ts'
import type { Token } from '../network.ts'
import type { PaymentInfo } from '../payment-info.ts'
import { addressWord, bytesTail, uintWord } from './hex-words.ts'

// PaymentInfo is twelve static words, so the calls below are joins of fixed layouts; viem's encoder costs more than the
// rest of a settlement.

/** Holds funds with a payer's signature. */
export function authorizeCalldata(info: PaymentInfo, amount: bigint, collector: Address, signature: Hex): Hex {
  const collected = `${addressWord(collector)}${uintWord(15 * 32)}${bytesTail(signature)}`
  return `0x41d66202${paymentInfoWords(info)}${uintWord(amount)}${collected}`
}

/** Pays held funds out. */
export function releaseCalldata(abi: 'legacy' | 'create3', info: PaymentInfo, amount: bigint): Hex {
  return payoutCalldata(abi === 'legacy' ? 'ecf39b0a' : 'c602dd4a', abi, info, amount)
}

/** Gives held funds back. */
export function refundCalldata(abi: 'legacy' | 'create3', info: PaymentInfo, amount: bigint): Hex {
  return payoutCalldata(abi === 'legacy' ? 'e2b8996f' : '4e04eaa0', abi, info, amount)
}

/** Sends collected fees to the treasury. */
export function distributeFeesCalldata(token: Address): Hex {
  return `0x9413f25c${addressWord(token)}`
}

/** Lets the payer take held funds back after the authorization expired. */
export function reclaimCalldata(info: PaymentInfo): Hex {
  return `0xe1a2a66d${paymentInfoWords(info)}`
}

/** Asks the escrow which account keeps the funds of an operator's payments. */
export function tokenStoreCalldata(operator: string): Hex {
  return `0x9d3facde${addressWord(operator)}`
}

/** Asks the operator contract for its treasury. */
export function feeRecipientCalldata(): Hex {
  return '0xebd09054'
}

/** Asks the identity registry who owns an agent. */
export function ownerOfCalldata(agentId: bigint | number): Hex {
  return `0x6352211e${uintWord(agentId)}`
}

/** Asks the escrow what it holds for a payment. */
export function paymentStateCalldata(paymentInfoHash: Hex): Hex {
  return `0x34b778ed${paymentInfoHash.slice(2)}`
}

/** Asks a token what an account holds. */
export function balanceOfCalldata(owner: string): Hex {
  return `0x70a08231${addressWord(owner)}`
}

/** Asks a token how many decimals it counts in. */
export function decimalsCalldata(): Hex {
  return '0x313ce567'
}

/**
 * What is wrong where a token answered that it counts otherwise than its row says: with 18 decimals for six, a dollar
 * would be paid as a trillionth of one. Undefined too where it told none, as ERC-20 allows, or nobody answered.
 */
export function otherDecimals({ symbol, decimals }: Token, answer: unknown): string | undefined {
  const found = typeof answer === 'string' && /^0x[0-9a-f]{64}$/i.test(answer) ? BigInt(answer) : undefined
  return found === undefined || found === BigInt(decimals)
    ? undefined
    : `the token ${symbol} has ${String(found)} decimals, not ${String(decimals)}`
}

/** Asks a token whether a nonce is spent. */
export function authorizationStateCalldata(authorizer: string, nonce: Hex): Hex {
  return `0xe94a0102${addressWord(authorizer)}${nonce.slice(2)}`
}

/** The (v, r, s) overload for 65 bytes, which every EIP-3009 token has; the bytes overload for contract wallets. */
export function transferWithAuthorizationCalldata(authorization: TransferAuthorization, signature: Hex): Hex {
  const head =
    addressWord(authorization.from) +
    addressWord(authorization.to) +
    uintWord(authorization.value) +
    uintWord(authorization.validAfter) +
    uintWord(authorization.validBefore) +
    authorization.nonce.slice(2)
  if (signature.length !== 132) return `0xcf092995${head}${uintWord(7 * 32)}${bytesTail(signature)}`
  return `0xe3ee160e${head}${signature.slice(130).padStart(64, '0')}${signature.slice(2, 130)}`
}

/** Asks a contract whether it signed (ERC-1271). */
export function isValidSignatureCalldata(digest: Hex, signature: Hex): Hex {
  return `0x1626ba7e${digest.slice(2)}${uintWord(64)}${bytesTail(signature)}`
}

function payoutCalldata(selector: string, abi: 'legacy' | 'create3', info: PaymentInfo, amount: bigint): Hex {
  const tail = abi === 'create3' ? uintWord(14 * 32) + uintWord(0) : ''
  return `0x${selector}${paymentInfoWords(info)}${uintWord(amount)}${tail}`
}

function paymentInfoWords(info: PaymentInfo): string {
  return (
    addressWord(info.operator) +
    addressWord(info.payer) +
    addressWord(info.receiver) +
    addressWord(info.token) +
    uintWord(info.maxAmount) +
    uintWord(info.preApprovalExpiry) +
    uintWord(info.authorizationExpiry) +
    uintWord(info.refundExpiry) +
    uintWord(info.minFeeBps) +
    uintWord(info.maxFeeBps) +
    addressWord(info.feeReceiver) +
    uintWord(info.salt)
  )
}
