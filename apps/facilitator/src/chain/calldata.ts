import type { Address, Hex, PaymentInfo, TransferAuthorization } from '@ergon/protocols'
import { addressWord, bytesTail, uintWord } from './words.ts'

// PaymentInfo is twelve static words, so the calls below are joins of fixed layouts; viem's encoder costs more than the
// rest of a settlement.

export function authorizeCalldata(info: PaymentInfo, amount: bigint, collector: Address, signature: Hex): Hex {
  const collected = `${addressWord(collector)}${uintWord(15 * 32)}${bytesTail(signature)}`
  return `0x41d66202${paymentInfoWords(info)}${uintWord(amount)}${collected}`
}

export function releaseCalldata(abi: 'legacy' | 'create3', info: PaymentInfo, amount: bigint): Hex {
  return payoutCalldata(abi === 'legacy' ? 'ecf39b0a' : 'c602dd4a', abi, info, amount)
}

export function refundCalldata(abi: 'legacy' | 'create3', info: PaymentInfo, amount: bigint): Hex {
  return payoutCalldata(abi === 'legacy' ? 'e2b8996f' : '4e04eaa0', abi, info, amount)
}

export function distributeFeesCalldata(token: Address): Hex {
  return `0x9413f25c${addressWord(token)}`
}

export function paymentStateCalldata(paymentInfoHash: Hex): Hex {
  return `0x34b778ed${paymentInfoHash.slice(2)}`
}

export function balanceOfCalldata(owner: Address): Hex {
  return `0x70a08231${addressWord(owner)}`
}

export function authorizationStateCalldata(authorizer: Address, nonce: Hex): Hex {
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
