import { addressWord, bytesTail, type Hex, type PaymentInfo, uintWord } from '@ergon/protocols'

// The public calls of escrow, operator and token, as calldata. PaymentInfo is twelve words, so the rest has fixed
// places.

function terms(info: PaymentInfo): string {
  return [
    addressWord(info.operator),
    addressWord(info.payer),
    addressWord(info.receiver),
    addressWord(info.token),
    uintWord(info.maxAmount),
    uintWord(info.preApprovalExpiry),
    uintWord(info.authorizationExpiry),
    uintWord(info.refundExpiry),
    uintWord(info.minFeeBps),
    uintWord(info.maxFeeBps),
    addressWord(info.feeReceiver),
    uintWord(info.salt),
  ].join('')
}

const call = (selector: string, ...words: readonly string[]): Hex => `0x${selector}${words.join('')}`

/** `amount`, `collector` and `bytes` behind the terms; `after` words stand between the offset and the bytes. */
function collecting(
  selector: string,
  info: PaymentInfo,
  amount: bigint,
  collector: string,
  data: Hex,
  ...after: readonly string[]
): Hex {
  return call(
    selector,
    terms(info),
    uintWord(amount),
    addressWord(collector),
    uintWord(32 * (15 + after.length)),
    ...after,
    bytesTail(data),
  )
}

export const calls = {
  authorize: (info: PaymentInfo, amount: bigint, collector: string, signature: Hex): Hex =>
    collecting('41d66202', info, amount, collector, signature),
  charge: (info: PaymentInfo, amount: bigint, collector: string, signature: Hex): Hex =>
    collecting('3d2c2d9d', info, amount, collector, signature),
  release: (info: PaymentInfo, amount: bigint): Hex => call('ecf39b0a', terms(info), uintWord(amount)),
  refundInEscrow: (info: PaymentInfo, amount: bigint): Hex => call('e2b8996f', terms(info), uintWord(amount)),
  refundPostEscrow: (info: PaymentInfo, amount: bigint, collector: string): Hex =>
    collecting('1eefbfd9', info, amount, collector, '0x'),
  distributeFees: (token: string): Hex => call('9413f25c', addressWord(token)),
  escrowCharge: (info: PaymentInfo, amount: bigint, collector: string, signature: Hex): Hex =>
    collecting('9e65819f', info, amount, collector, signature, uintWord(1_300), addressWord(info.feeReceiver)),
  capture: (info: PaymentInfo, amount: bigint): Hex =>
    call('644cd79a', terms(info), uintWord(amount), uintWord(1_300), addressWord(info.feeReceiver)),
  void: (info: PaymentInfo): Hex => call('fa1cad17', terms(info)),
  partialVoid: (info: PaymentInfo, amount: bigint): Hex => call('90ce468c', terms(info), uintWord(amount)),
  reclaim: (info: PaymentInfo): Hex => call('e1a2a66d', terms(info)),
  refund: (info: PaymentInfo, amount: bigint, collector: string): Hex =>
    collecting('d458db5a', info, amount, collector, '0x'),
  paymentState: (hash: string): Hex => call('34b778ed', hash.slice(2)),
  transfer: (to: string, value: bigint): Hex => call('a9059cbb', addressWord(to), uintWord(value)),
  balanceOf: (account: string): Hex => call('70a08231', addressWord(account)),
  cancelAuthorization: (authorizer: string, nonce: string, signature: Hex): Hex =>
    call('5a049a70', addressWord(authorizer), nonce.slice(2), ...splitSignature(signature)),
  transferWithAuthorization: (
    from: string,
    to: string,
    value: bigint,
    validAfter: bigint,
    validBefore: bigint,
    nonce: string,
    signature: Hex,
  ): Hex =>
    call(
      'e3ee160e',
      addressWord(from),
      addressWord(to),
      uintWord(value),
      uintWord(validAfter),
      uintWord(validBefore),
      nonce.slice(2),
      ...splitSignature(signature),
    ),
} as const

/** v, r and s as words. */
function splitSignature(signature: Hex): readonly string[] {
  const hex = signature.slice(2)
  return [uintWord(BigInt(`0x${hex.slice(128)}`)), hex.slice(0, 64), hex.slice(64, 128)]
}
