import {
  isFundingStatementSigned,
  paymentInfoFromWire,
  paymentInfoHash,
  paymentStateCalldata,
  sameAddress,
  type Address,
  type Hex,
} from '@ergon/protocols'
import { knownToken, type Trust } from './agreement.ts'
import type { Output } from './client.ts'
import { atomicOf } from './money.ts'

export type VerifyFundingInput = {
  readonly task_id: string
  /** A node of the network that the caller trusts. */
  readonly rpc_url: string
  /** Whom the money should be for; the caller's own wallet, before it begins to work. */
  readonly worker_wallet?: string
}

/** What was found. `held` is true only when nothing is in `faults`. */
export type VerifiedFunding = {
  readonly held: boolean
  /** What is wrong, each in a sentence. */
  readonly faults: readonly string[]
  /** Atomic units, as the node says; null when it was not asked. */
  readonly capturable: bigint | null
  readonly bound_until: string | null
  readonly payment_hash: string | null
  /** Whether a published key of the service signed the statement: something to show later. */
  readonly signed: boolean
  readonly funding: Output<'payments.funding'>
}

/**
 * Holds the proof of funding of a task against a node: the payment is built again from its terms, so the hash that the
 * node is asked for is our own, and the contract is that of our own table. The service could refuse to answer, and
 * could not make the answer up.
 */
export async function verifyFunding({ client, networks }: Trust, input: VerifyFundingInput): Promise<VerifiedFunding> {
  const [funding, { keys }] = await Promise.all([
    client.payments.funding({ task_id: input.task_id }),
    client.payments.fundingKeys(),
  ])
  const { payment_info: terms, payment_hash, bound_until } = funding
  const found = { payment_hash, bound_until, signed: isSigned(funding, keys), funding }
  if (terms === null)
    return { ...found, held: false, faults: [`nothing is held: the money is ${funding.state}`], capturable: null }
  const { network, token, decimals } = knownToken(networks, funding.network, funding.token)
  const { escrow } = network
  if (escrow === undefined) return { ...found, held: false, faults: ['this network holds nothing'], capturable: null }
  // The payer travels beside the terms.
  const info = paymentInfoFromWire(terms, funding.payer as Address)
  const hash = paymentInfoHash(info, network.chainId, escrow.escrow)
  const capturable = await capturableOf(input.rpc_url, escrow.escrow, hash)
  const gross = atomicOf(funding.amount_usd, decimals)
  const now = client.transport.now() / 1_000
  const rules: readonly (readonly [boolean, string])[] = [
    [hash === payment_hash, 'the hash is not that of the terms'],
    [sameAddress(info.operator, escrow.operator), 'it is held through another operator'],
    [sameAddress(info.token, token.verifyingContract), 'it is held in another token'],
    [info.maxAmount >= gross, 'the payment is of less than the bounty'],
    [capturable >= gross, `the chain holds ${String(capturable)} of ${String(gross)}`],
    [info.authorizationExpiry > now, 'the payer can take it back already'],
    [
      input.worker_wallet === undefined || sameAddress(info.receiver, input.worker_wallet),
      'it is held for another wallet',
    ],
  ]
  const faults = rules.flatMap(([isSo, fault]) => (isSo ? [] : [fault]))
  return { ...found, held: faults.length === 0, faults, capturable }
}

function isSigned({ statement }: Output<'payments.funding'>, keys: Output<'payments.fundingKeys'>['keys']): boolean {
  if (statement === null) return false
  const { message, domain } = statement.typed_data
  try {
    const said = {
      taskId: String(message['taskId']),
      state: String(message['state']),
      escrow: message['escrow'] as Address,
      paymentHash: message['paymentHash'] as Hex,
      payer: message['payer'] as Address,
      receiver: message['receiver'] as Address,
      token: message['token'] as Address,
      capturable: BigInt(String(message['capturable'])),
      authorizationExpiry: Number(message['authorizationExpiry']),
      asOf: Number(message['asOf']),
    }
    return isFundingStatementSigned(
      said,
      Number(domain['chainId']),
      statement.signature as Hex,
      keys.map(({ address }) => address),
    )
  } catch {
    return false
  }
}

/** @throws Error when the node does not say what the escrow holds: unknown is never yes. */
async function capturableOf(rpcUrl: string, to: string, hash: Hex): Promise<bigint> {
  const answer: unknown = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: [{ to, data: paymentStateCalldata(hash) }, 'latest'],
    }),
    signal: AbortSignal.timeout(10_000),
  }).then((response) => response.json())
  const result = typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : undefined
  // Three words: collected, capturable, refundable.
  if (typeof result !== 'string' || !/^0x[0-9a-f]{192}/i.test(result))
    throw new Error('the node did not say what the escrow holds; is it one of this network?')
  return BigInt(`0x${result.slice(66, 130)}`)
}
