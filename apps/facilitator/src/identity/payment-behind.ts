import {
  type Address,
  expectCaptured,
  type ExpectedEvent,
  expectTransfer,
  type Hex,
  paymentInfoHash,
} from '@ergon/protocols'
import { matchLogs } from '../chain/expectation.ts'
import { Unavailable } from '../errors.ts'
import type { Networks, ServedNetwork } from '../network/served-network.ts'
import { readPaymentInfo } from '../wire/payment-info.ts'
import { readAddress, readHex32, readRecord, readText } from '../wire/read.ts'
import { holdersOf } from './agent-holders.ts'
import type { RegistryTarget } from './network.ts'
import { refused } from './payment-proof.ts'

const keys = ['transactionHash', 'network', 'payer', 'payee', 'token', 'paymentInfo']

/**
 * The payment that a rating in either direction is about: a capture from escrow, by its payment info, or a transfer
 * of a served token. Unlike a proof of `/settle` it may lie on another network than the rating.
 */
export type PaymentBehind = {
  readonly transactionHash: Hex
  readonly network: string
  readonly payer: Address
  readonly payee: Address
  readonly token: Address
  /** As it came; null for a transfer. */
  readonly paymentInfo: unknown
}

export function readPaymentBehind(value: unknown): PaymentBehind | undefined {
  if (value === undefined || value === null) return undefined
  const record = readRecord(value, 'feedback.payment', keys)
  return {
    transactionHash: readHex32(record['transactionHash'], 'payment.transactionHash'),
    network: readText(record['network'], 'payment.network', 64),
    payer: readAddress(record['payer'], 'payment.payer'),
    payee: readAddress(record['payee'], 'payment.payee'),
    token: readAddress(record['token'], 'payment.token'),
    paymentInfo: record['paymentInfo'] ?? null,
  }
}

/** Holds it against the chain; the agent that is rated is held by its payer or its payee. */
export async function checkPaymentBehind(
  payment: PaymentBehind,
  agentId: bigint,
  target: RegistryTarget,
  networks: Networks,
): Promise<void> {
  const network = networks.find(payment.network)
  if (network === undefined) throw refused('proof_network_mismatch')
  const [receipt] = await network.chain.receipts([payment.transactionHash]).catch((cause: unknown) => {
    throw new Unavailable('rpc_unavailable', 'proof_rpc_unavailable', { cause })
  })
  if (receipt === undefined) throw refused('proof_transaction_not_found')
  if (!receipt.succeeded) throw refused('proof_transaction_reverted')
  if (matchLogs([expected(payment, network)], receipt.logs) === undefined) throw refused('proof_transfer_not_found')
  const holders = await holdersOf(target, agentId)
  if (!holders.includes(payment.payee) && !holders.includes(payment.payer)) throw refused('proof_payee_is_not_agent')
}

function expected(payment: PaymentBehind, network: ServedNetwork): ExpectedEvent {
  if (!network.tokens.has(payment.token)) throw refused('proof_transfer_not_found')
  if (payment.paymentInfo === null) return expectTransfer(payment.token, payment.payer, payment.payee, undefined)
  if (network.escrow === undefined) throw refused('proof_network_mismatch')
  const info = readPaymentInfo(payment.paymentInfo, payment.payer)
  if (info.receiver !== payment.payee || info.token !== payment.token) throw refused('proof_transfer_not_found')
  const { escrow } = network.escrow
  return expectCaptured(escrow, paymentInfoHash(info, network.chainId, escrow), undefined)
}
