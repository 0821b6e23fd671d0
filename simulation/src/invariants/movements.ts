import type { Address, Hex } from '@ergon/protocols'
import { deployment } from '../chain/deployment.ts'
import type { MemoryChain, Receipt } from '../chain/memory-chain.ts'
import { topicOf } from '../chain/names.ts'

export type Moved = {
  readonly kind: 'authorized' | 'charged' | 'captured' | 'voided' | 'reclaimed'
  readonly hash: Hex
  readonly amount: bigint
  readonly by: Address
}
export type Transferred = {
  readonly from: Address
  readonly to: Address
  readonly amount: bigint
  readonly receipt: Receipt
}
/** A direct payment that was carried out, by its nonce. */
export type Relayed = { readonly nonce: Hex; readonly from: Address; readonly by: Address }

export type ChainFacts = {
  readonly moved: readonly Moved[]
  readonly transfers: readonly Transferred[]
  readonly relayed: readonly Relayed[]
}

const kinds: Readonly<Record<string, readonly [kind: Moved['kind'], word: number]>> = {
  [topicOf('Escrow', 'PaymentAuthorized')]: ['authorized', 12],
  [topicOf('Escrow', 'PaymentCharged')]: ['charged', 12],
  [topicOf('Escrow', 'PaymentCaptured')]: ['captured', 0],
  [topicOf('Escrow', 'PaymentVoided')]: ['voided', 0],
  [topicOf('Escrow', 'PaymentPartiallyVoided')]: ['voided', 0],
  [topicOf('Escrow', 'PaymentReclaimed')]: ['reclaimed', 0],
}
const transferTopic = topicOf('TestUSD', 'Transfer')
const usedTopic = topicOf('TestUSD', 'AuthorizationUsed')

function wordOf(data: Hex, index: number): bigint {
  return BigInt(`0x${data.slice(2 + index * 64, 66 + index * 64)}`)
}

function addressOf(topic: Hex | undefined): Address {
  return `0x${(topic ?? '').slice(26)}`
}

/** What one transaction moved, read once: a receipt never changes. */
function readReceipt(receipt: Receipt): ChainFacts {
  receipt.facts ??= factsOf(receipt)
  return receipt.facts
}

function factsOf(receipt: Receipt): ChainFacts {
  const [moved, transfers, relayed]: [Moved[], Transferred[], Relayed[]] = [[], [], []]
  const by = receipt.transaction.from
  for (const { address, topics, data } of receipt.logs) {
    const [topic, first, second] = topics
    const kind = address === deployment.escrow ? kinds[topic ?? ''] : undefined
    if (kind !== undefined && first !== undefined)
      moved.push({ kind: kind[0], hash: first, amount: wordOf(data, kind[1]), by })
    if (address !== deployment.token) continue
    if (topic === transferTopic)
      transfers.push({ from: addressOf(first), to: addressOf(second), amount: wordOf(data, 0), receipt })
    if (topic === usedTopic && second !== undefined) relayed.push({ nonce: second, from: addressOf(first), by })
  }
  return { moved, transfers, relayed }
}

/** Everything that has moved, read from the chain's own logs. */
export function readChain(chain: MemoryChain): ChainFacts {
  const [moved, transfers, relayed]: [Moved[], Transferred[], Relayed[]] = [[], [], []]
  for (const { receipts } of chain.blocks) {
    for (const receipt of receipts) {
      const facts = readReceipt(receipt)
      moved.push(...facts.moved)
      transfers.push(...facts.transfers)
      relayed.push(...facts.relayed)
    }
  }
  return { moved, transfers, relayed }
}
