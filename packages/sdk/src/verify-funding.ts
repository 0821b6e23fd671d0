import { feeBps, taskIn } from '@ergon/contract/facts'
import {
  isFundingStatementSigned,
  paymentInfoFromWire,
  paymentInfoHash,
  paymentStateCalldata,
  sameAddress,
  type Address,
  type Hex,
  type PaymentInfo,
} from '@ergon/protocols'
import { knownToken, type Trust } from './agreement.ts'
import { requireSame } from './challenge-mismatch.ts'
import type { Output } from './client.ts'
import { atomicOf } from './money.ts'

/** What a statement names where nothing is held. */
const noHash: Hex = `0x${'0'.repeat(64)}`

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
  /** Whether a published key of the service signed a statement about this very payment: something to show later. */
  readonly signed: boolean
  readonly funding: Output<'payments.funding'>
}

/**
 * Holds the proof of funding of a task against a node: the payment is built again from its terms, so the hash that the
 * node is asked for is our own; the contract is that of our own table, and the salt that the payer signed names the
 * task. The service could refuse to answer, and could not make up that money is held. What the bounty should be is the
 * caller's to know: `funding.amount_usd` is the service's word.
 *
 * @throws ChallengeMismatch for an answer about another task, or a network or token that is not in the table.
 */
export async function verifyFunding({ client, networks }: Trust, input: VerifyFundingInput): Promise<VerifiedFunding> {
  const [funding, { keys }] = await Promise.all([
    client.payments.funding({ task_id: input.task_id }),
    client.payments.fundingKeys(),
  ])
  requireSame('task', input.task_id, funding.task_id)
  const { payment_info: terms, payment_hash, bound_until } = funding
  const found = { payment_hash, bound_until, signed: isSigned(funding, keys), funding }
  if (terms === null) return { ...found, held: false, faults: [unheld(funding.state)], capturable: null }
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
    [taskIn(info.salt) === funding.task_id, 'the payment does not name this task: it may be that of another'],
    [sameAddress(info.operator, escrow.operator), 'it is held through another operator'],
    [isReleasable(info, escrow.operator), 'no release fits the fee that the payer signed'],
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

/** A channel is no escrow: what it holds is read from its own network. */
function unheld(state: Output<'payments.funding'>['state']): string {
  return state === 'held'
    ? 'no escrow holds it: a channel does, which GET /api/v1/tasks/{task_id}/channel/public names'
    : `nothing is held: the money is ${state}`
}

/** The operator takes its fee in every release, and the escrow refuses one outside of what was signed. */
function isReleasable({ feeReceiver, minFeeBps, maxFeeBps }: PaymentInfo, operator: Address): boolean {
  return sameAddress(feeReceiver, operator) && minFeeBps <= feeBps && feeBps <= maxFeeBps
}

function isSigned(funding: Output<'payments.funding'>, keys: Output<'payments.fundingKeys'>['keys']): boolean {
  const { statement } = funding
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
    const isOfThis =
      said.taskId === funding.task_id &&
      said.state === funding.state &&
      said.paymentHash === (funding.payment_hash ?? noHash) &&
      Number(domain['chainId']) === funding.chain_id
    const addresses = keys.map(({ address }) => address)
    return isOfThis && isFundingStatementSigned(said, Number(domain['chainId']), statement.signature as Hex, addresses)
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
