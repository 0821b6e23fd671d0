import { keccak256Hex, utf8, type Hex } from '@ergon/protocols'
import { addressTopic, uintTopic, wordAt } from './words.ts'

export type ChainLog = {
  readonly address: string
  readonly topics: readonly Hex[]
  readonly data: string
  readonly transactionHash: Hex
  readonly blockNumber: bigint
  readonly logIndex: number
}

/**
 * One event that proves what a transaction did. A call to an address without code succeeds, so its status proves
 * nothing.
 */
export type ExpectedEvent = {
  readonly emitter: string
  /** Any of these as topic 0; then the indexed values, null for any. */
  readonly events: readonly Hex[]
  readonly indexed: readonly (Hex | null)[]
  readonly word?: { readonly index: number; readonly value: bigint }
}

const paymentInfo = '(address,address,address,address,uint120,uint48,uint48,uint48,uint16,uint16,address,uint256)'
const signatures = {
  authorized: `PaymentAuthorized(bytes32,${paymentInfo},uint256,address)`,
  charged: `PaymentCharged(bytes32,${paymentInfo},uint256,address,uint16,address)`,
  captured: 'PaymentCaptured(bytes32,uint256,uint16,address)',
  voided: 'PaymentVoided(bytes32,uint256)',
  partiallyVoided: 'PaymentPartiallyVoided(bytes32,uint256,uint256)',
  reclaimed: 'PaymentReclaimed(bytes32,uint256)',
  refunded: 'PaymentRefunded(bytes32,uint256,address)',
  transfer: 'Transfer(address,address,uint256)',
  authorizationUsed: 'AuthorizationUsed(address,bytes32)',
  authorizationCanceled: 'AuthorizationCanceled(address,bytes32)',
  newFeedback: 'NewFeedback(uint256,address,uint64,int128,uint8,string,string,string,string,string,bytes32)',
} as const

const topics = new Map<string, Hex>()

export function eventTopic(event: keyof typeof signatures): Hex {
  const known = topics.get(event) ?? keccak256Hex(utf8(signatures[event]))
  topics.set(event, known)
  return known
}

// The escrow's own events are the same under both operator ABIs (facts: they, not the operator's, prove a step).

export function expectAuthorized(escrow: string, hash: Hex, amount: bigint): ExpectedEvent {
  return { emitter: escrow, events: [eventTopic('authorized')], indexed: [hash], word: { index: 12, value: amount } }
}

/** Whatever a signature over funds was used for: to hold an amount, or to pay at once. */
export function expectCollected(escrow: string, hash: Hex): ExpectedEvent {
  return { emitter: escrow, events: [eventTopic('authorized'), eventTopic('charged')], indexed: [hash] }
}

export function expectCaptured(escrow: string, hash: Hex, amount: bigint): ExpectedEvent {
  return { emitter: escrow, events: [eventTopic('captured')], indexed: [hash], word: { index: 0, value: amount } }
}

export function expectVoided(escrow: string, hash: Hex, amount: bigint): ExpectedEvent {
  return {
    emitter: escrow,
    events: [eventTopic('voided'), eventTopic('partiallyVoided')],
    indexed: [hash],
    word: { index: 0, value: amount },
  }
}

export function expectAuthorizationUsed(token: string, from: string, nonce: Hex): ExpectedEvent {
  return { emitter: token, events: [eventTopic('authorizationUsed')], indexed: [addressTopic(from), nonce] }
}

/** `value` undefined: any amount. */
export function expectTransfer(token: string, from: string, to: string, value: bigint | undefined): ExpectedEvent {
  return {
    emitter: token,
    events: [eventTopic('transfer')],
    indexed: [addressTopic(from), addressTopic(to)],
    ...(value === undefined ? {} : { word: { index: 0, value } }),
  }
}

export function expectFeedback(registry: string, agentId: number, client: string | null): ExpectedEvent {
  return {
    emitter: registry,
    events: [eventTopic('newFeedback')],
    indexed: [uintTopic(agentId), client === null ? null : addressTopic(client)],
  }
}

export function findEvent(expected: ExpectedEvent, logs: readonly ChainLog[]): ChainLog | undefined {
  return logs.find((log) => isEvent(expected, log))
}

export function findEvents(expected: ExpectedEvent, logs: readonly ChainLog[]): readonly ChainLog[] {
  return logs.filter((log) => isEvent(expected, log))
}

function isEvent(expected: ExpectedEvent, log: ChainLog): boolean {
  const [event, ...indexed] = log.topics
  if (event === undefined || !expected.events.includes(event)) return false
  if (log.address.toLowerCase() !== expected.emitter.toLowerCase()) return false
  if (expected.indexed.some((topic, index) => topic !== null && topic.toLowerCase() !== indexed[index]?.toLowerCase()))
    return false
  return expected.word === undefined || wordAt(log.data, expected.word.index) === expected.word.value
}
