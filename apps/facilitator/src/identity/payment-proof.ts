import { type Address, expectTransfer, type Hex } from '@ergon/protocols'
import { matchLogs } from '../chain/expectation.ts'
import { Refusal, Unavailable } from '../errors.ts'
import type { Networks, ServedNetwork } from '../network/served-network.ts'
import { paymentHashOf } from '../settle/proof-of-payment.ts'
import { readAddress, readHex32, readInteger, readRecord, readText, readUint } from '../wire/read.ts'
import { holdersOf } from './agent-holders.ts'
import type { RegistryTarget } from './network.ts'

const keys = [
  'transactionHash',
  'blockNumber',
  'network',
  'payer',
  'payee',
  'amount',
  'token',
  'timestamp',
  'paymentHash',
]

/** The payment that a rating is about, as `/settle` handed it out (facts §2.3, §2.4). */
export type PaymentProof = {
  readonly transactionHash: Hex
  readonly blockNumber: number
  readonly network: string
  readonly payer: Address
  readonly payee: Address
  readonly amount: bigint
  readonly token: Address
  readonly timestamp: number
  readonly paymentHash: Hex
}

export function readProof(value: unknown): PaymentProof | undefined {
  if (value === undefined || value === null) return undefined
  const record = readRecord(value, 'feedback.proof', keys)
  return {
    transactionHash: readHex32(record['transactionHash'], 'proof.transactionHash'),
    blockNumber: readInteger(record['blockNumber'], 'proof.blockNumber'),
    network: readText(record['network'], 'proof.network', 64),
    payer: readAddress(record['payer'], 'proof.payer'),
    payee: readAddress(record['payee'], 'proof.payee'),
    amount: readUint(record['amount'], 'proof.amount'),
    token: readAddress(record['token'], 'proof.token'),
    timestamp: readInteger(record['timestamp'], 'proof.timestamp'),
    paymentHash: readHex32(record['paymentHash'], 'proof.paymentHash'),
  }
}

/** Holds the proof against the chain: nothing in it is taken on trust. */
export async function checkProof(
  proof: PaymentProof,
  rater: Address | undefined,
  agentId: bigint,
  target: RegistryTarget,
  networks: Networks,
): Promise<void> {
  if (rater === undefined) throw refused('rater_missing')
  if (networks.find(proof.network) !== target.network) throw refused('proof_network_mismatch')
  if (proof.payer !== rater) throw refused('proof_payer_is_not_rater')
  const { paymentHash, ...fields } = proof
  if (paymentHashOf({ ...fields, amount: fields.amount.toString() }) !== paymentHash)
    throw refused('proof_payment_hash_mismatch')
  if (!target.network.tokens.has(proof.token)) throw refused('proof_transfer_not_found')
  if (!isPayment(target.network, proof.token, proof.amount)) throw refused('amount_below_minimum')
  const [receipt] = await receiptsOf(target, proof)
  if (receipt === undefined) throw refused('proof_transaction_not_found')
  if (!receipt.succeeded) throw refused('proof_transaction_reverted')
  if (receipt.blockNumber !== proof.blockNumber) throw refused('proof_block_number_mismatch')
  if (matchLogs([expectTransfer(proof.token, proof.payer, proof.payee, proof.amount)], receipt.logs) === undefined)
    throw refused('proof_transfer_not_found')
  if (!(await holdersOf(target, agentId)).includes(proof.payee)) throw refused('proof_payee_is_not_agent')
}

/**
 * Whether so much of a token is a payment here. Anybody moves nothing from anybody to anybody (ERC-20), and the events
 * of a token that is not served are worth nothing.
 */
export function isPayment({ tokens }: Pick<ServedNetwork, 'tokens'>, token: Address, amount: bigint): boolean {
  const served = tokens.get(token)
  return served !== undefined && amount > 0n && amount >= served.smallest
}

async function receiptsOf(
  target: RegistryTarget,
  proof: PaymentProof,
): ReturnType<RegistryTarget['network']['chain']['receipts']> {
  try {
    return await target.network.chain.receipts([proof.transactionHash])
  } catch (cause) {
    throw new Unavailable('rpc_unavailable', 'proof_rpc_unavailable', { cause })
  }
}

export function refused(code: string, details: Readonly<Record<string, unknown>> = {}): Refusal {
  return new Refusal(code, code, { details })
}
