import { identityRegistryAbi, reputationRegistryAbi } from '../abis/erc8004.ts'
import { escrowAbi } from '../abis/escrow.ts'
import { tokenAbi } from '../abis/token.ts'
import { utf8, type Hex } from '../bytes.ts'
import { keccak256Hex } from '../keccak.ts'
import { addressTopic, uintTopic, wordAt } from './hex-words.ts'

/** What a log says about an event. */
export type EventLog = { readonly address: string; readonly topics: readonly Hex[]; readonly data: string }

/**
 * One event that proves what a transaction did. A call to an address without code succeeds and moves nothing, so its
 * status proves nothing. Plain JSON: a sender writes it down before it sends.
 */
export type ExpectedEvent = {
  readonly emitter: string
  /** Any of these as topic 0; then the indexed values, null for any. */
  readonly events: readonly Hex[]
  readonly indexed: readonly (Hex | null)[]
  /** A data word and its decimal value. */
  readonly word?: { readonly index: number; readonly value: string }
}

type Parameter = { readonly type: string; readonly components?: readonly Parameter[] }
type Described = { readonly name: string; readonly type: string; readonly inputs: readonly Parameter[] }
type EventOf<Abi extends readonly { readonly type: string }[]> = Extract<Abi[number], { readonly type: 'event' }>
type ProofEvent =
  | EventOf<typeof escrowAbi>
  | EventOf<typeof tokenAbi>
  | EventOf<typeof identityRegistryAbi>
  | EventOf<typeof reputationRegistryAbi>
export type ProofEventName = ProofEvent['name']

// Two contracts that share a name share its signature here: Transfer(address,address,uint256) of tokens and of agents.
const described: readonly Described[] = [
  ...escrowAbi,
  ...tokenAbi,
  ...identityRegistryAbi,
  ...reputationRegistryAbi,
].filter((item): item is ProofEvent => item.type === 'event')

const topics = new Map<ProofEventName, Hex>()

/** Topic 0 of an event of the escrow, of a token or of a registry. */
export function eventTopic(event: ProofEventName): Hex {
  const known = topics.get(event)
  if (known !== undefined) return known
  const inputs = described.find(({ name }) => name === event)?.inputs ?? []
  const topic = keccak256Hex(utf8(`${event}${typesOf(inputs)}`))
  topics.set(event, topic)
  return topic
}

function typesOf(parameters: readonly Parameter[]): string {
  return `(${parameters.map(({ type, components }) => (components === undefined ? type : typesOf(components))).join(',')})`
}

// The escrow's own events are the same under both operator ABIs, so they, not the operator's, prove a payment step
// (facts §1.5).

/** An amount was held for a payment. */
export function expectAuthorized(escrow: string, hash: Hex, amount: bigint): ExpectedEvent {
  return {
    emitter: escrow,
    events: [eventTopic('PaymentAuthorized')],
    indexed: [hash],
    word: { index: 12, value: amount.toString() },
  }
}

/** Whatever a signature over funds was used for: to hold an amount, or to pay at once. */
export function expectCollected(escrow: string, hash: Hex): ExpectedEvent {
  const events = [eventTopic('PaymentAuthorized'), eventTopic('PaymentCharged')]
  return { emitter: escrow, events, indexed: [hash] }
}

/** An amount that was held was paid out. `amount` undefined: any. */
export function expectCaptured(escrow: string, hash: Hex, amount: bigint | undefined): ExpectedEvent {
  const word = amount === undefined ? {} : { word: { index: 0, value: amount.toString() } }
  return { emitter: escrow, events: [eventTopic('PaymentCaptured')], indexed: [hash], ...word }
}

/** An amount that was held went back to its payer. */
export function expectVoided(escrow: string, hash: Hex, amount: bigint): ExpectedEvent {
  const events = [eventTopic('PaymentVoided'), eventTopic('PaymentPartiallyVoided')]
  return { emitter: escrow, events, indexed: [hash], word: { index: 0, value: amount.toString() } }
}

/** A token moved. `value` undefined: any amount. */
export function expectTransfer(token: string, from: string, to: string, value: bigint | undefined): ExpectedEvent {
  const word = value === undefined ? {} : { word: { index: 0, value: value.toString() } }
  return { emitter: token, events: [eventTopic('Transfer')], indexed: [addressTopic(from), addressTopic(to)], ...word }
}

/** The nonce of a payer's signature was spent. */
export function expectAuthorizationUsed(token: string, authorizer: string, nonce: Hex): ExpectedEvent {
  return { emitter: token, events: [eventTopic('AuthorizationUsed')], indexed: [addressTopic(authorizer), nonce] }
}

/** The nonce of a payer's signature was used or withdrawn: one of the two, once. */
export function expectAuthorizationSpent(token: string, authorizer: string, nonce: Hex): ExpectedEvent {
  const events = [eventTopic('AuthorizationUsed'), eventTopic('AuthorizationCanceled')]
  return { emitter: token, events, indexed: [addressTopic(authorizer), nonce] }
}

/** An agent was registered; `owner` null: by anybody. */
export function expectRegistered(identity: string, owner: string | null): ExpectedEvent {
  const indexed = [null, owner === null ? null : addressTopic(owner)]
  return { emitter: identity, events: [eventTopic('Registered')], indexed }
}

/** An agent changed hands; null: from anybody, or any agent. */
export function expectAgentTransfer(
  identity: string,
  from: string | null,
  to: string,
  agentId: bigint | null,
): ExpectedEvent {
  return {
    emitter: identity,
    events: [eventTopic('Transfer')],
    indexed: [
      from === null ? null : addressTopic(from),
      addressTopic(to),
      agentId === null ? null : uintTopic(agentId),
    ],
  }
}

/** An agent was rated; `client` null: by any rater. */
export function expectFeedback(reputation: string, agentId: bigint | number, client: string | null): ExpectedEvent {
  return {
    emitter: reputation,
    events: [eventTopic('NewFeedback')],
    indexed: [uintTopic(agentId), client === null ? null : addressTopic(client)],
  }
}

/** A rating was taken back. */
export function expectRevoked(reputation: string, agentId: bigint, client: string, index: bigint): ExpectedEvent {
  return {
    emitter: reputation,
    events: [eventTopic('FeedbackRevoked')],
    indexed: [uintTopic(agentId), addressTopic(client), uintTopic(index)],
  }
}

/** A rating was answered. */
export function expectResponse(reputation: string, agentId: bigint, client: string): ExpectedEvent {
  return {
    emitter: reputation,
    events: [eventTopic('ResponseAppended')],
    indexed: [uintTopic(agentId), addressTopic(client)],
  }
}

/** The first log that shows the event. */
export function findEvent<Log extends EventLog>(expected: ExpectedEvent, logs: readonly Log[]): Log | undefined {
  return logs.find((log) => isEvent(expected, log))
}

/** Every log that shows the event. */
export function findEvents<Log extends EventLog>(expected: ExpectedEvent, logs: readonly Log[]): readonly Log[] {
  return logs.filter((log) => isEvent(expected, log))
}

function isEvent(expected: ExpectedEvent, log: EventLog): boolean {
  const [event, ...indexed] = log.topics
  if (event === undefined || !expected.events.includes(event)) return false
  if (log.address.toLowerCase() !== expected.emitter.toLowerCase()) return false
  if (expected.indexed.some((topic, index) => topic !== null && topic.toLowerCase() !== indexed[index]?.toLowerCase()))
    return false
  return expected.word === undefined || wordAt(log.data, expected.word.index) === BigInt(expected.word.value)
}
