import { splitFee, type Settlement } from '@ergon/core'
import { deployment } from '../chain/deployment.ts'
import { paymentStateOf } from '../chain/escrow.ts'
import type { CaseFile } from '../people/case-file.ts'
import type { MemoryDatabase } from '../store/index.ts'
import type { Universe } from '../world/universe.ts'
import { readChain, type ChainFacts } from './movements.ts'

const { facilitator } = deployment
const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 } as const

/** What must hold whenever a block came or went: nobody pays twice for one thing, by our hand. */
export function checkMoney(universe: Universe, files: readonly CaseFile[]): void {
  const { chain } = universe.driver
  const facts = readChain(chain)
  for (const file of files) {
    noteEmptied(universe, file)
    const fault = heldTwice(chain, file, facts) ?? paidTwice(file, facts) ?? refusedAndDone(file, facts)
    if (fault !== undefined) universe.violate(`${file.name}: ${fault}`)
  }
}

/** How late a node may be, and how much clocks may differ, when a claim finds what its payment holds. */
const unsureMs = 16_000

/** Notes which locks hold nothing any more, and since when. */
function noteEmptied({ driver: { chain }, scheduler }: Universe, { signed }: CaseFile): void {
  for (const one of signed) {
    if (one.kind !== 'lock') continue
    const { collected, capturable } = paymentStateOf(chain, one.name)
    one.emptiedAtMs = collected && capturable === 0n ? (one.emptiedAtMs ?? scheduler.now()) : null
  }
}

/** Nobody is assigned on a payment whose money had left the escrow before the claim was made. */
export function checkAssigned(
  { epochMs, violate }: Universe,
  { rows }: MemoryDatabase,
  files: readonly CaseFile[],
): void {
  for (const {
    settlement: { purpose, status, order, createdAt },
  } of rows.settlements()) {
    if (purpose !== 'lock' || status !== 'confirmed' || order.kind !== 'authorize') continue
    const lock = files.flatMap(({ signed }) => signed).find(({ name }) => name === order.payment.hash)
    if (lock !== undefined && lock.emptiedAtMs !== null && lock.emptiedAtMs + unsureMs < createdAt.getTime() - epochMs)
      violate(`a worker is assigned on ${lock.name.slice(0, 10)}, which held nothing any more when it was claimed`)
  }
}

/**
 * No dispute opens while a settlement of its task is under way: what is in flight is finished first. A stray is money
 * that the task was never given, and goes its own way.
 */
export function checkDisputes({ violate }: Universe, { disk, rows }: MemoryDatabase, seen: SeenDisputes): void {
  const open = rows.settlements().filter(({ settlement }) => isUnderWay(settlement))
  for (const { id, type, taskId } of disk.events) {
    if (type !== 'dispute.opened' || seen.events.has(id)) continue
    seen.events.add(id)
    // Who approves what is disputed waits for the lock of its task, and claims in the step in which it opens.
    const over = open.find(({ settlement }) => settlement.taskId === taskId && seen.underWay.has(settlement.id))
    if (over !== undefined)
      violate(`a dispute of ${String(taskId)} opens while its ${over.settlement.purpose} is ${over.settlement.status}`)
  }
  seen.underWay = new Set(open.map(({ settlement: { id } }) => id))
}

/** What an earlier step saw of a world. */
export type SeenDisputes = { readonly events: Set<string>; underWay: ReadonlySet<string> }

const isUnderWay = ({ purpose, status }: Pick<Settlement, 'purpose' | 'status'>): boolean =>
  purpose !== 'stray' && (status === 'claimed' || status === 'in_doubt')

/** Transactions lock in one order: none ever waits for one that waits for it. */
export function checkLocks({ violate }: Pick<Universe, 'violate'>, { disk }: Pick<MemoryDatabase, 'disk'>): void {
  const [label] = disk.deadlocks
  if (label !== undefined) violate(`two transactions wait for each other: one of them asked ${label}`)
}

/** At any moment at most one payment of a task is held that our facilitator has locked. */
function heldTwice(
  chain: Universe['driver']['chain'],
  { signed }: CaseFile,
  { moved }: ChainFacts,
): string | undefined {
  const held = signed.filter(
    (one) =>
      one.kind === 'lock' &&
      !one.byHand &&
      paymentStateOf(chain, one.name).capturable > 0n &&
      moved.some((move) => move.kind === 'authorized' && move.hash === one.name && move.by === facilitator),
  )
  return held.length > 1
    ? `its bounty is held ${String(held.length)} times: ${held.map((one) => one.name.slice(0, 10)).join(', ')}`
    : undefined
}

/** What our hand has paid out for a task is at most its bounty. */
function paidTwice({ signed, bountyAtomic }: CaseFile, { moved, relayed }: ChainFacts): string | undefined {
  const hashes = new Set<string>(signed.filter((one) => one.kind === 'lock' && !one.byHand).map((one) => one.name))
  const captured = moved
    .filter(
      (move) =>
        move.by === facilitator && (move.kind === 'captured' || move.kind === 'charged') && hashes.has(move.hash),
    )
    .reduce((sum, { amount }) => sum + amount, 0n)
  if (captured > bountyAtomic) return `${String(captured)} was paid out of a bounty of ${String(bountyAtomic)}`
  for (const kind of ['payout', 'fee'] as const) {
    const done = signed.filter(
      (one) => one.kind === kind && relayed.some((use) => use.nonce === one.name && use.by === facilitator),
    )
    if (done.length > 1)
      return (
        `its ${kind} was charged ${String(done.length)} times ` +
        `(${String(splitFee({ atomic: bountyAtomic, asset })[kind].atomic)} each)`
      )
  }
  return undefined
}

/** Who was told of every copy of a signature that it is not carried out never sees it carried out by us. */
function refusedAndDone({ signed }: CaseFile, { moved, relayed }: ChainFacts): string | undefined {
  // A payout that another party brought to the chain is a payout, and its fee is due.
  const isPaidByHand = signed.some((one) => one.kind === 'payout' && one.byHand)
  const done = signed.find(
    (one) =>
      one.denied > 0 &&
      one.denied === one.sent &&
      !one.byHand &&
      !(one.kind === 'fee' && isPaidByHand) &&
      (one.kind === 'lock'
        ? moved.some(
            (move) =>
              move.hash === one.name &&
              move.by === facilitator &&
              (move.kind === 'authorized' || move.kind === 'charged'),
          )
        : relayed.some((use) => use.nonce === one.name && use.by === facilitator)),
  )
  return done === undefined
    ? undefined
    : `its ${done.kind} ${done.name.slice(0, 10)} was refused to its payer and is carried out`
}
