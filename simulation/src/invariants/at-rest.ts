import { divideBounty, isFinal, type Task } from '@ergon/core'
import { paymentStateOf } from '../chain/escrow.ts'
import type { MemoryChain } from '../chain/memory-chain.ts'
import type { CaseFile } from '../people/case-file.ts'
import { allRows } from '../store/engine/table.ts'
import type { MemoryDatabase } from '../store/index.ts'
import type { Universe } from '../world/universe.ts'
import { differences, known } from './books.ts'
import { strayEvents } from './events.ts'
import { readChain } from './movements.ts'
import { carriedOut } from './rulings.ts'
import { paidEarly, returnedInSilence, rulingOn, unpaidSilence } from './silence.ts'

const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 } as const

/** Open settlements and tasks between two states: what is still to be finished. */
export function unfinished(database: MemoryDatabase): readonly string[] {
  const settlements = database.rows
    .settlements()
    .filter(({ settlement }) => settlement.status === 'claimed' || settlement.status === 'in_doubt')
    .map(
      ({ settlement }) =>
        `the ${settlement.purpose} ${settlement.id.slice(0, 8)} is ` +
        `${settlement.status} after ${String(settlement.attempts)} attempts`,
    )
  const tasks = database.rows
    .tasks()
    .flatMap(({ task }) =>
      task.status === 'assigning' || ['authorizing', 'releasing', 'refunding'].includes(task.escrowStatus)
        ? [`task ${task.id.slice(0, 8)} is ${task.status}, its escrow ${task.escrowStatus}`]
        : [],
    )
  const lost = database.rows
    .movements()
    .flatMap(({ kind, txHash, missingSince }) =>
      missingSince === null ? [] : [`what was ${kind} in ${txHash.slice(0, 10)} is not where it was booked`],
    )
  return [...settlements, ...tasks, ...lost]
}

/**
 * Signatures that were given up and used all the same, as long as they are watched: what they hold has yet to go back,
 * what they paid has yet to be booked. The watch looks now and then, so a world may be still while one of them waits.
 */
export function unreturned(chain: MemoryChain, database: MemoryDatabase): readonly string[] {
  return database.rows.settlements().flatMap(({ watchUntil, settlement: { id, purpose, status, order } }) => {
    if (status !== 'refused' || watchUntil === null) return []
    const waits =
      order.kind === 'charge'
        ? isUnbooked(chain, database, order.transfer.nonce)
        : paymentStateOf(chain, order.payment.hash).capturable > 0n || isUnread(chain, database, order.payment.hash)
    return waits ? [`the ${purpose} ${id.slice(0, 8)} was given up, and what came of its signature waits`] : []
  })
}

/** The chain knows the payment, and the books know nothing of it. */
function isUnread(chain: MemoryChain, database: MemoryDatabase, hash: string): boolean {
  return readChain(chain).moved.some((one) => one.hash === hash) && !isNamed(database, hash)
}

const isNamed = (database: MemoryDatabase, name: string): boolean =>
  database.rows.movements().some(({ hash }) => hash === name)

function isUnbooked(chain: MemoryChain, database: MemoryDatabase, nonce: string): boolean {
  return readChain(chain).relayed.some((one) => one.nonce === nonce) && !isNamed(database, nonce)
}

/** A task's state of escrow is what the escrow says, unless its payer has acted since and nobody had to look. */
function escrowSaid(
  { driver }: Universe,
  database: MemoryDatabase,
  { name, taskId, meddled }: CaseFile,
): string | undefined {
  const task = database.rows.tasks().find((row) => row.task.id === taskId)?.task
  const payment = database.rows.escrows().find((row) => row.taskId === taskId)?.payment
  if (task === undefined || payment === undefined || meddled) return undefined
  const { capturable } = paymentStateOf(driver.chain, payment.hash)
  return (task.escrowStatus === 'authorized') === capturable > 0n
    ? undefined
    : `the escrow of ${name} is ${task.escrowStatus} and holds ${String(capturable)}`
}

/** What must hold when everybody is through, faults have stopped and nothing is under way. */
export function checkRest(universe: Universe, database: MemoryDatabase, files: readonly CaseFile[]): void {
  const { chain } = universe.driver
  for (const text of unfinished(database)) universe.violate(`at rest, ${text}`)
  for (const text of differences(universe, database, files)) universe.violate(`at rest, ${text}`)
  for (const text of strayEvents(database)) universe.violate(`at rest, ${text}`)
  const facts = readChain(chain)
  for (const file of files) {
    const said = escrowSaid(universe, database, file)
    if (said !== undefined) universe.violate(`at rest, ${said}`)
    for (const { text, holds } of file.promised)
      if (!holds(database)) universe.violate(`at rest, ${text}, and it is not so`)
    for (const one of file.signed) {
      if (one.kind !== 'lock') continue
      const of = (kind: string): bigint =>
        facts.moved
          .filter((move) => move.hash === one.name && move.kind === kind)
          .reduce((sum, { amount }) => sum + amount, 0n)
      const held = paymentStateOf(chain, one.name).capturable
      if (of('authorized') !== of('captured') + of('voided') + of('reclaimed') + held)
        universe.violate(`at rest, ${file.name}: what was locked is not what was paid, returned and held`)
    }
  }
}

/** Tasks that are not over although their deadline is. */
export function stillOpen(database: MemoryDatabase): readonly string[] {
  return database.rows
    .tasks()
    .flatMap(({ task }) =>
      isFinal(task.status) ? [] : [`past its deadline, task ${task.id.slice(0, 8)} is ${task.status}`],
    )
}

/**
 * A task whose payer left the contracts alone has paid its worker all of the bounty, or what was decided, or nothing.
 */
function checkEnding(universe: Universe, database: MemoryDatabase, file: CaseFile): void {
  const task = database.rows.tasks().find((row) => row.task.id === file.taskId)?.task
  if (task === undefined || file.meddled || file.mode === 'fase1') return
  // A payer who acts on the chain, if only to take money away, may come before a lock whose block is given up.
  if (universe.driver.chain.nonceOf(file.publisher.address) > 0) return
  const hashes = new Set<string>(file.signed.map(({ name }) => name))
  const captured = readChain(universe.driver.chain).moved.reduce(
    (sum, { kind, hash, amount }) => (kind === 'captured' && hashes.has(hash) ? sum + amount : sum),
    0n,
  )
  const due = task.status === 'completed' ? awarded(file, task, database) : 0n
  if (captured !== due)
    universe.violate(
      `${file.name} is ${task.status} and has paid ${String(captured)} of ` +
        `${String(file.bountyAtomic)}, where ${String(due)} were due`,
    )
}

/** What a completed task owes: all of it, or the worker's share of a split. */
function awarded({ bountyAtomic, plan }: CaseFile, task: Task, database: MemoryDatabase): bigint {
  const agreed = allRows(undefined, database.disk.tables.offers, (row) => row.taskId === task.id).find(
    ({ status }) => status === 'settled',
  )
  if (agreed !== undefined) return agreed.words.toWorker
  const ruled = carriedOut(database, task.id)
  if (ruled !== undefined) return divideBounty({ atomic: bountyAtomic, asset }, ruled).award.atomic
  // A dispute that nobody decided in time is decided by the policy.
  if (task.policy !== null && rulingOn(database, task.id)?.verdict !== 'split') return bountyAtomic
  if (plan.ending !== 'dispute' || plan.verdict !== 'split') return bountyAtomic
  return divideBounty({ atomic: bountyAtomic, asset }, { verdict: 'split', splitPct: plan.splitPct }).award.atomic
}

/** Nobody's money is held for a task that is over. */
export function checkEvening(universe: Universe, database: MemoryDatabase, files: readonly CaseFile[]): void {
  for (const file of files) {
    checkEnding(universe, database, file)
    const silence =
      unpaidSilence(universe, database, file) ??
      returnedInSilence(universe, database, file) ??
      paidEarly(database, file)
    if (silence !== undefined) universe.violate(silence)
    const ours = known(database)
    for (const one of file.signed) {
      const held =
        one.kind === 'lock' && ours.has(one.name) ? paymentStateOf(universe.driver.chain, one.name).capturable : 0n
      if (held > 0n)
        universe.violate(`past its deadline, ${String(held)} of ${file.name} is still held by ${one.name.slice(0, 10)}`)
    }
  }
}
