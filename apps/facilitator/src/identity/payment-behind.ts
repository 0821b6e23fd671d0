import {
  type Address,
  expectCaptured,
  type ExpectedEvent,
  expectTransfer,
  findEvents,
  type Hex,
  paymentInfoHash,
  ratedPaymentDigest,
  solanaTransaction,
  wordAt,
} from '@ergon/protocols'
import { Unavailable } from '../errors.ts'
import type { Networks, ServedNetwork } from '../network/served-network.ts'
import { readPaymentInfo } from '../wire/payment-info.ts'
import type { Context } from '../http/context.ts'
import { isSignedBy } from '../verify/signature.ts'
import { malformed, readAddress, readHex, readHex32, readOpenRecord, readRecord, readText } from '../wire/read.ts'
import { holdersOf } from './agent-holders.ts'
import type { RegistryTarget } from './network.ts'
import { isPayment, refused } from './payment-proof.ts'

const keys = ['transactionHash', 'network', 'payer', 'payee', 'token', 'paymentInfo']
const toldKeys = ['transactionHash', 'network', 'payer', 'payee', 'word']

/**
 * The payment that a rating in either direction is about: a capture from escrow, by its payment info, or a transfer
 * of a served token. Unlike a proof of `/settle` it may lie on another network than the rating.
 */
export type PaymentBehind = ShownPayment | ToldPayment

type Sides = { readonly network: string; readonly payer: Address; readonly payee: Address }
type ShownPayment = Sides & {
  readonly transactionHash: Hex
  readonly token: Address
  /** As it came; null for a transfer. */
  readonly paymentInfo: unknown
  readonly word?: undefined
}
/** On a network whose addresses are not those of agents: by the word of whoever orders here (decision 0344). */
type ToldPayment = Sides & {
  readonly transactionHash: string
  readonly word: { readonly signer: Address; readonly signature: Hex }
}

export function readPaymentBehind(value: unknown): PaymentBehind | undefined {
  if (value === undefined || value === null) return undefined
  const { word } = readOpenRecord(value, 'feedback.payment')
  const record = readRecord(value, 'feedback.payment', word === undefined ? keys : toldKeys)
  const sides = {
    network: readText(record['network'], 'payment.network', 64),
    payer: readAddress(record['payer'], 'payment.payer'),
    payee: readAddress(record['payee'], 'payment.payee'),
  }
  if (word !== undefined)
    return { ...sides, transactionHash: readSolanaTransaction(record['transactionHash']), word: readWord(word) }
  return {
    ...sides,
    transactionHash: readHex32(record['transactionHash'], 'payment.transactionHash'),
    token: readAddress(record['token'], 'payment.token'),
    paymentInfo: record['paymentInfo'] ?? null,
  }
}

function readSolanaTransaction(value: unknown): string {
  const text = readText(value, 'payment.transactionHash', 88)
  if (!solanaTransaction.test(text)) throw malformed('payment.transactionHash', 'a transaction of Solana in base58')
  return text
}

function readWord(value: unknown): ToldPayment['word'] {
  const record = readRecord(value, 'payment.word', ['signer', 'signature'])
  return {
    signer: readAddress(record['signer'], 'payment.word.signer'),
    signature: readHex(record['signature'], 'payment.word.signature', 65),
  }
}

/** Holds it against the chain, or against who may tell; the agent that is rated is held by its payer or its payee. */
export async function checkPaymentBehind(
  payment: PaymentBehind,
  agentId: bigint,
  target: RegistryTarget,
  { networks, lifecycle: { delegates } }: Pick<Context, 'networks' | 'lifecycle'>,
): Promise<void> {
  if (payment.word === undefined) await checkShown(payment, networks)
  else checkTold(payment, target, networks, delegates)
  const holders = await holdersOf(target, agentId)
  if (!holders.includes(payment.payee) && !holders.includes(payment.payer)) throw refused('proof_payee_is_not_agent')
}

async function checkShown(payment: ShownPayment, networks: Networks): Promise<void> {
  const network = networks.find(payment.network)
  if (network === undefined) throw refused('proof_network_mismatch')
  const [receipt] = await network.chain.receipts([payment.transactionHash]).catch((cause: unknown) => {
    throw new Unavailable('rpc_unavailable', 'proof_rpc_unavailable', { cause })
  })
  if (receipt === undefined) throw refused('proof_transaction_not_found')
  if (!receipt.succeeded) throw refused('proof_transaction_reverted')
  const moved = findEvents(expected(payment, network), receipt.logs)
  if (moved.length === 0) throw refused('proof_transfer_not_found')
  if (!moved.some(({ data }) => isPayment(network, payment.token, wordAt(data, 0) ?? 0n)))
    throw refused('amount_below_minimum')
}

/** What a chain here could show is not told. */
function checkTold(
  { network, transactionHash: transaction, payer, payee, word }: ToldPayment,
  target: RegistryTarget,
  networks: Networks,
  delegates: readonly Address[],
): void {
  if (networks.find(network) !== undefined) throw refused('proof_network_mismatch')
  if (!delegates.includes(word.signer)) throw refused('proof_word_of_a_stranger')
  const digest = ratedPaymentDigest({ network, transaction, payer, payee }, target.network.chainId)
  if (!isSignedBy(digest, word.signature, word.signer)) throw refused('proof_word_not_signed')
}

function expected(payment: ShownPayment, network: ServedNetwork): ExpectedEvent {
  if (!network.tokens.has(payment.token)) throw refused('proof_transfer_not_found')
  if (payment.paymentInfo === null) return expectTransfer(payment.token, payment.payer, payment.payee, undefined)
  if (network.escrow === undefined) throw refused('proof_network_mismatch')
  const info = readPaymentInfo(payment.paymentInfo, payment.payer)
  if (info.receiver !== payment.payee || info.token !== payment.token) throw refused('proof_transfer_not_found')
  const { escrow } = network.escrow
  return expectCaptured(escrow, paymentInfoHash(info, network.chainId, escrow), undefined)
}
