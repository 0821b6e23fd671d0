import { canonicalJson, keccak256Hex, type Hex } from '@ergon/protocols'
import type { Networks } from '../network/served-network.ts'
import { seconds, type Surroundings } from '../surroundings/surroundings.ts'
import type { Outcome } from '../store/intents.ts'
import type { Envelope } from '../wire/envelope.ts'

/** What a rater later shows as proof that a payment stood behind the rating; only for those who asked (facts §2.3). */
export async function proofOfPayment(
  envelope: Envelope,
  outcome: Outcome,
  context: { readonly networks: Networks; readonly surroundings: Surroundings },
): Promise<object> {
  const wanted = envelope.requirements?.extra?.['8004-reputation']
  const network = context.networks.find(envelope.network ?? '')
  if (
    typeof wanted !== 'object' ||
    wanted === null ||
    !('includeProof' in wanted) ||
    wanted.includeProof !== true ||
    network === undefined
  )
    return {}
  const transfer = outcome.logs.find(
    (log) => log.topics.length === 3 && log.data.length === 66 && log.topics[2] !== undefined,
  )
  const block = await network.rpc
    .call('eth_getBlockByNumber', [`0x${outcome.blockNumber.toString(16)}`, false])
    .catch(() => null)
  const timestamp =
    typeof block === 'object' && block !== null && 'timestamp' in block
      ? Number(block.timestamp)
      : seconds(context.surroundings)
  const proof = {
    transactionHash: outcome.transaction,
    blockNumber: outcome.blockNumber,
    network: network.caip2,
    payer: transfer === undefined ? undefined : `0x${transfer.topics[1]?.slice(26) ?? ''}`,
    payee: transfer === undefined ? undefined : `0x${transfer.topics[2]?.slice(26) ?? ''}`,
    amount: transfer === undefined ? undefined : BigInt(transfer.data).toString(),
    token: transfer?.address,
    timestamp,
  }
  return { proofOfPayment: { ...proof, paymentHash: paymentHashOf(proof) } }
}

/** Names the whole proof: the hash of its fields in the order of their names. */
export function paymentHashOf(proof: Readonly<Record<string, unknown>>): Hex {
  return keccak256Hex(new TextEncoder().encode(canonicalJson(proof)))
}
