import type { Address, Hex } from '@ergon/protocols'
import { addressOf, knownNetwork, knownToken, requireSigner, type Trust } from './agreement.ts'
import { ChallengeMismatch, requireAddress, requireSame } from './challenge-mismatch.ts'
import { atomicOf } from './money.ts'

/** A transaction that only the payer can send; the service never does. */
export type ReclaimTransaction = {
  readonly chainId: number
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: 0n
  readonly eligibleAt: Date
  readonly eligible: boolean
}

/** The first four bytes of keccak256 of `reclaim(PaymentInfo)` with the struct written out. */
const selector = 'e1a2a66d'
const words = 12

/**
 * The transaction with which the payer takes the bounty back once the window of the escrow has closed, checked down to
 * its calldata: this wallet's payment, of this token and amount, out of the escrow of our own table of networks.
 *
 * @throws ChallengeMismatch when it is anything else.
 */
export async function reclaimTransaction(trust: Trust, taskId: string): Promise<ReclaimTransaction> {
  const { client, networks } = trust
  const { address } = requireSigner(client)
  const [task, offer] = await Promise.all([
    client.tasks.get({ task_id: taskId }),
    client.escrow.reclaim({ task_id: taskId }),
  ])
  requireSame('task', taskId, task.id)
  requireSame('task', taskId, offer.task_id)
  const network = knownNetwork(networks, task.payment_network)
  const { token, decimals } = knownToken(networks, task.payment_network, task.payment_token)
  requireSame('chain', network.chainId, offer.chain_id)
  requireAddress('escrow', network.escrow?.escrow ?? 'none', offer.escrow)
  requireAddress('payer', address, offer.payer)
  const info = readCalldata(offer.calldata)
  requireAddress('operator', network.escrow?.operator ?? 'none', info.operator)
  requireAddress('payer', address, info.payer)
  requireAddress('token', token.verifyingContract, info.token)
  requireSame('amount', atomicOf(task.bounty_usd, decimals), info.maxAmount)
  return {
    chainId: network.chainId,
    from: address,
    to: addressOf('escrow', offer.escrow),
    data: info.data,
    value: 0n,
    eligibleAt: new Date(offer.eligible_at),
    eligible: offer.eligible,
  }
}

function readCalldata(calldata: string): {
  readonly data: Hex
  readonly operator: string
  readonly payer: string
  readonly token: string
  readonly maxAmount: bigint
} {
  const match = /^0x([0-9a-f]{8})([0-9a-f]*)$/i.exec(calldata)
  const [, called = '', body = ''] = match ?? []
  if (called.toLowerCase() !== selector || body.length !== words * 64)
    throw new ChallengeMismatch('call', 'reclaim(PaymentInfo)', calldata.slice(0, 10))
  const word = (index: number): string => body.slice(64 * index, 64 * (index + 1))
  const account = (index: number): string =>
    word(index).startsWith('0'.repeat(24)) ? `0x${word(index).slice(24)}` : 'none'
  // The pattern above is the type.
  return {
    data: calldata as Hex,
    operator: account(0),
    payer: account(1),
    token: account(3),
    maxAmount: BigInt(`0x${word(4)}`),
  }
}
