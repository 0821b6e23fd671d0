import { MarketError, type EscrowState, type Movement, type MovementKind, type Payment } from '@ergon/core'
import { eventTopic, findEvents, type ExpectedEvent, type Hex, type ProofEventName, wordAt } from '@ergon/protocols'
import type { ChainLog } from '../chain/log-search.ts'
import { escrowOf, type ServedNetwork } from '../networks.ts'
import { bookedLogs } from './booked-logs.ts'
import { readEscrowState } from './escrow-state.ts'
import { hex32 } from './expected-events.ts'

type Shape = {
  readonly kind: MovementKind
  /** Which word of the data says how much, and which what share is kept. */
  readonly amount: number
  readonly feeBps?: number
}

/** A payment's terms are twelve words; an event that repeats them says its amount after. */
const shapes = {
  PaymentAuthorized: { kind: 'authorized', amount: 12 },
  PaymentCharged: { kind: 'charged', amount: 12, feeBps: 14 },
  PaymentCaptured: { kind: 'captured', amount: 0, feeBps: 1 },
  PaymentVoided: { kind: 'voided', amount: 0 },
  PaymentPartiallyVoided: { kind: 'voided', amount: 0 },
  PaymentReclaimed: { kind: 'reclaimed', amount: 0 },
  PaymentRefunded: { kind: 'refunded', amount: 0 },
} as const satisfies Partial<Readonly<Record<ProofEventName, Shape>>>

type EscrowEvent = keyof typeof shapes
// Object.keys of a literal answers its own keys.
const events = Object.keys(shapes) as readonly EscrowEvent[]

/** Every event by which the escrow tells of money, about one payment or, with null, about any. */
export function expectMovements(escrow: string, hash: Hex | null): ExpectedEvent {
  return { emitter: escrow, events: events.map(eventTopic), indexed: [hash] }
}

/** Every log of the escrow about a payment, in the order of the chain. Throws CHAIN_UNAVAILABLE. */
export async function readMovements(network: ServedNetwork, payment: Payment): Promise<readonly Movement[]> {
  return (await readMovementLogs(network, payment)).map((log) => movementOf(log, network.row.name))
}

/**
 * The same, as logs. Where the node has to be asked window by window, those that are booked already come first: with
 * whatever is newer, they are all as soon as they add up to what the escrow itself says about the payment. A caller of
 * the newest of one kind needs nothing older.
 */
export async function readMovementLogs(
  network: ServedNetwork,
  payment: Payment,
  newest?: ExpectedEvent,
): Promise<readonly ChainLog[]> {
  const hash = hex32(payment.hash)
  const booked = bookedLogs(network, hash)
  let state: EscrowState | undefined
  return network.chain.findLogs(
    expectMovements(escrowOf(network).escrow, hash),
    (found, walked) =>
      walked.some(isFirst) ||
      (newest !== undefined && findEvents(newest, walked).length > 0) ||
      (state !== undefined && addsUpTo(state, found, network)),
    async () => {
      state = await readEscrowState(network, payment)
      return booked()
    },
  )
}

const begins: readonly Hex[] = [eventTopic('PaymentAuthorized'), eventTopic('PaymentCharged')]
const isFirst = ({ topics: [event] }: ChainLog): boolean => event !== undefined && begins.includes(event)

/** Whatever is missing of them leaves more in the escrow, or more to be refunded, than the escrow says. */
function addsUpTo(state: EscrowState, logs: readonly ChainLog[], { row }: ServedNetwork): boolean {
  const movements = logs.map((log) => movementOf(log, row.name))
  const sum = (...kinds: readonly MovementKind[]): bigint =>
    movements.reduce((total, { kind, atomic }) => (kinds.includes(kind) ? total + atomic : total), 0n)
  return (
    state.collected &&
    logs.some(isFirst) &&
    sum('authorized') - sum('captured', 'voided', 'reclaimed') === state.capturable &&
    sum('captured', 'charged') - sum('refunded') === state.refundable
  )
}

/** Reads one log of the escrow. Throws CHAIN_UNAVAILABLE for a log that is none of those asked for. */
export function movementOf(log: ChainLog, network: string): Movement {
  const event = events.find((name) => eventTopic(name) === log.topics[0])
  const shape: Shape | undefined = event === undefined ? undefined : shapes[event]
  const atomic = shape === undefined ? undefined : wordAt(log.data, shape.amount)
  const [, hash] = log.topics
  if (shape === undefined || atomic === undefined || hash === undefined)
    throw new MarketError('CHAIN_UNAVAILABLE', { network })
  const kept = shape.feeBps === undefined ? undefined : wordAt(log.data, shape.feeBps)
  return {
    network,
    txHash: log.transactionHash,
    blockNumber: log.blockNumber,
    logIndex: log.logIndex,
    hash,
    kind: shape.kind,
    atomic,
    feeBps: kept === undefined ? null : Number(kept),
  }
}
