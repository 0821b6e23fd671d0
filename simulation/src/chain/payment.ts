import { authorizationNonce, paymentInfoHash, type Hex, type PaymentInfo } from '@ergon/protocols'
import { deployment } from './deployment.ts'
import { Undecodable, type Arguments } from './words.ts'

/** The terms of a payment as they came, with what they hash to. */
export type Terms = {
  readonly info: PaymentInfo
  readonly hash: Hex
  /** The payer's nonce: the hash without the payer. */
  readonly nonce: Hex
  /** The twelve words, for the events that repeat them. */
  readonly words: string
}

const width = 12

function read(args: Arguments): PaymentInfo {
  const small = (index: number, limit: bigint): bigint => {
    const value = args.uint(index)
    if (value >= limit) throw new Undecodable()
    return value
  }
  const seconds = (index: number): number => Number(small(index, 1n << 48n))
  return {
    operator: args.address(0),
    payer: args.address(1),
    receiver: args.address(2),
    token: args.address(3),
    maxAmount: small(4, 1n << 120n),
    preApprovalExpiry: seconds(5),
    authorizationExpiry: seconds(6),
    refundExpiry: seconds(7),
    minFeeBps: Number(small(8, 1n << 16n)),
    maxFeeBps: Number(small(9, 1n << 16n)),
    feeReceiver: args.address(10),
    salt: args.uint(11),
  }
}

const known = new Map<string, Terms>()
/** Terms are pure data: what one run read another may use, and a bound keeps a long night small. */
const maxKnown = 256

/** The payment that the first twelve words of a call name. */
export function termsOf(args: Arguments): Terms {
  const words = args.data.slice(10, 10 + width * 64)
  const before = known.get(words)
  if (before !== undefined) return before
  const info = read(args)
  const { chainId, escrow } = deployment
  const terms = {
    info,
    hash: paymentInfoHash(info, chainId, escrow),
    nonce: authorizationNonce(info, chainId, escrow),
    words,
  }
  if (known.size >= maxKnown) known.clear()
  known.set(words, terms)
  return terms
}
