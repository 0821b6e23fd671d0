import { keccak256Hex, type Address, type Hex } from '@ergon/protocols'
import type { Expectation } from './expectation.ts'
import { addressTopic, uintTopic } from './words.ts'

const paymentInfo = '(address,address,address,address,uint120,uint48,uint48,uint48,uint16,uint16,address,uint256)'

const signatures = {
  PaymentAuthorized: `PaymentAuthorized(bytes32,${paymentInfo},uint256,address)`,
  PaymentCaptured: 'PaymentCaptured(bytes32,uint256,uint16,address)',
  PaymentVoided: 'PaymentVoided(bytes32,uint256)',
  PaymentPartiallyVoided: 'PaymentPartiallyVoided(bytes32,uint256,uint256)',
  Transfer: 'Transfer(address,address,uint256)',
  AuthorizationUsed: 'AuthorizationUsed(address,bytes32)',
  Registered: 'Registered(uint256,string,address)',
  NewFeedback: 'NewFeedback(uint256,address,uint64,int128,uint8,string,string,string,string,string,bytes32)',
  FeedbackRevoked: 'FeedbackRevoked(uint256,address,uint64)',
  ResponseAppended: 'ResponseAppended(uint256,address,uint64,address,string,bytes32)',
} as const

const topics = new Map<string, Hex>()

export function eventTopic(event: keyof typeof signatures): Hex {
  const known = topics.get(event)
  if (known !== undefined) return known
  const topic = keccak256Hex(new TextEncoder().encode(signatures[event]))
  topics.set(event, topic)
  return topic
}

// The escrow's events are the same under both operator ABIs, so they, not the operator's, prove a payment step (facts
// §1.5).

export function expectAuthorized(escrow: Address, hash: Hex, amount: bigint): Expectation {
  return {
    emitter: escrow,
    events: [eventTopic('PaymentAuthorized')],
    indexed: [hash],
    word: { index: 12, value: amount.toString() },
  }
}

export function expectCaptured(escrow: Address, hash: Hex, amount: bigint): Expectation {
  return {
    emitter: escrow,
    events: [eventTopic('PaymentCaptured')],
    indexed: [hash],
    word: { index: 0, value: amount.toString() },
  }
}

export function expectVoided(escrow: Address, hash: Hex, amount: bigint): Expectation {
  const events = [eventTopic('PaymentPartiallyVoided'), eventTopic('PaymentVoided')]
  return { emitter: escrow, events, indexed: [hash], word: { index: 0, value: amount.toString() } }
}

export function expectTransfer(token: Address, from: Address, to: Address, value: bigint | undefined): Expectation {
  const word = value === undefined ? {} : { word: { index: 0, value: value.toString() } }
  return { emitter: token, events: [eventTopic('Transfer')], indexed: [addressTopic(from), addressTopic(to)], ...word }
}

export function expectAuthorizationUsed(token: Address, authorizer: Address, nonce: Hex): Expectation {
  return { emitter: token, events: [eventTopic('AuthorizationUsed')], indexed: [addressTopic(authorizer), nonce] }
}

export function expectRegistered(identity: Address, owner: Address): Expectation {
  return { emitter: identity, events: [eventTopic('Registered')], indexed: [null, addressTopic(owner)] }
}

export function expectAgentTransfer(identity: Address, from: Address, to: Address, agentId: bigint): Expectation {
  return {
    emitter: identity,
    events: [eventTopic('Transfer')],
    indexed: [addressTopic(from), addressTopic(to), uintTopic(agentId)],
  }
}

export function expectFeedback(reputation: Address, agentId: bigint, client: Address): Expectation {
  return {
    emitter: reputation,
    events: [eventTopic('NewFeedback')],
    indexed: [uintTopic(agentId), addressTopic(client)],
  }
}

export function expectRevoked(reputation: Address, agentId: bigint, client: Address, index: bigint): Expectation {
  return {
    emitter: reputation,
    events: [eventTopic('FeedbackRevoked')],
    indexed: [uintTopic(agentId), addressTopic(client), uintTopic(index)],
  }
}

export function expectResponse(reputation: Address, agentId: bigint, client: Address): Expectation {
  return {
    emitter: reputation,
    events: [eventTopic('ResponseAppended')],
    indexed: [uintTopic(agentId), addressTopic(client)],
  }
}
