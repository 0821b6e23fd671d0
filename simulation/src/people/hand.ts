import {
  keccak256Hex,
  utf8,
  type Address,
  type Hex,
  type PaymentInfo,
  type TransferAuthorization,
} from '@ergon/protocols'
import { deployment } from '../chain/deployment.ts'
import { selectorOf } from '../chain/names.ts'
import { addressWord, bytesTail, uintWord } from '../chain/words.ts'
import type { Universe } from '../world/universe.ts'

const info = '(address,address,address,address,uint120,uint48,uint48,uint48,uint16,uint16,address,uint256)'
const selectors = {
  release: selectorOf('Operator', `release(${info},uint256)`),
  charge: selectorOf('Operator', 'charge'),
  authorize: selectorOf('Operator', 'authorize'),
  distributeFees: selectorOf('Operator', 'distributeFees'),
  reclaim: selectorOf('Escrow', 'reclaim'),
  transfer: selectorOf('TestUSD', 'transfer'),
  relay: selectorOf('TestUSD', 'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)'),
  cancel: selectorOf('TestUSD', 'cancelAuthorization(address,bytes32,bytes)'),
} as const

type Call = { readonly to: Address; readonly data: Hex }

function words(one: PaymentInfo): string {
  return (
    addressWord(one.operator) +
    addressWord(one.payer) +
    addressWord(one.receiver) +
    addressWord(one.token) +
    uintWord(one.maxAmount) +
    uintWord(one.preApprovalExpiry) +
    uintWord(one.authorizationExpiry) +
    uintWord(one.refundExpiry) +
    uintWord(one.minFeeBps) +
    uintWord(one.maxFeeBps) +
    addressWord(one.feeReceiver) +
    uintWord(one.salt)
  )
}

/** Bytes at the end of a call: the word that names where they begin, then they. */
const signatureAt = (offset: number, signature: Hex): string => `${uintWord(offset)}${bytesTail(signature.slice(2))}`

function funding(selector: Hex, one: PaymentInfo, amount: bigint, signature: Hex): Call {
  const collected = `${addressWord(deployment.collector)}${signatureAt(15 * 32, signature)}`
  return { to: deployment.operator, data: `${selector}${words(one)}${uintWord(amount)}${collected}` }
}

/** What anybody with a key may send to the contracts without asking us. */
export const byHand = {
  release: (one: PaymentInfo, amount: bigint): Call => ({
    to: deployment.operator,
    data: `${selectors.release}${words(one)}${uintWord(amount)}`,
  }),
  charge: (one: PaymentInfo, amount: bigint, signature: Hex): Call => funding(selectors.charge, one, amount, signature),
  authorize: (one: PaymentInfo, amount: bigint, signature: Hex): Call =>
    funding(selectors.authorize, one, amount, signature),
  reclaim: (one: PaymentInfo): Call => ({ to: deployment.escrow, data: `${selectors.reclaim}${words(one)}` }),
  distributeFees: (): Call => ({
    to: deployment.operator,
    data: `${selectors.distributeFees}${addressWord(deployment.token)}`,
  }),
  transfer: (to: Address, amount: bigint): Call => ({
    to: deployment.token,
    data: `${selectors.transfer}${addressWord(to)}${uintWord(amount)}`,
  }),
  relay: ({ from, to, value, validAfter, validBefore, nonce }: TransferAuthorization, signature: Hex): Call => {
    const moved = `${addressWord(from)}${addressWord(to)}${uintWord(value)}`
    const valid = `${uintWord(validAfter)}${uintWord(validBefore)}${nonce.slice(2)}`
    return { to: deployment.token, data: `${selectors.relay}${moved}${valid}${signatureAt(224, signature)}` }
  },
  cancel: (authorizer: Address, nonce: Hex, signature: Hex): Call => ({
    to: deployment.token,
    data: `${selectors.cancel}${addressWord(authorizer)}${nonce.slice(2)}${signatureAt(96, signature)}`,
  }),
} as const

/**
 * Sends a call of a person's own. Its hash is made up: nobody checks the signature of a transaction that no node of
 * ours was given.
 */
export function send({ driver, note }: Universe, from: Address, call: Call, what: string): void {
  const { chain } = driver
  const nonce = chain.pool.nextNonce(from, chain.nonceOf(from))
  const hash = keccak256Hex(utf8(`${from} ${String(nonce)} ${call.data}`))
  const complaint = driver.submit({
    hash,
    from,
    nonce,
    to: call.to,
    data: call.data,
    maxFee: 2_000_000_000n,
    maxTip: 1_000_000_000n,
  })
  note(`by hand: ${from.slice(0, 8)} ${what} ${hash.slice(0, 10)}${complaint === undefined ? '' : `: ${complaint}`}`)
}
