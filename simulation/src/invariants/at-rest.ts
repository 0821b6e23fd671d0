import { isFinal } from '@ergon/core'
import { paymentStateOf } from '../chain/escrow.ts'
import type { CaseFile } from '../people/case-file.ts'
import type { MemoryDatabase } from '../store/index.ts'
import type { Universe } from '../world/universe.ts'
import { differences } from './books.ts'
import { strayEvents } from './events.ts'
import { readChain } from './movements.ts'

/** Open settlements and tasks between two states: what somebody still has to finish. */
export function unfinished(database: MemoryDatabase): readonly string[] {
  const settlements = database.rows.settlements().filter(({ settlement }) => settlement.status === 'claimed' || settlement.status === 'in_doubt')
    .map(({ settlement }) => `the ${settlement.purpose} ${settlement.id.slice(0, 8)} is ${settlement.status} after ${String(settlement.attempts)} attempts`)
  const tasks = database.rows.tasks().flatMap(({ task }) => (task.status === 'assigning' || ['authorizing', 'releasing', 'refunding'].includes(task.escrowStatus)
    ? [`task ${task.id.slice(0, 8)} is ${task.status}, its escrow ${task.escrowStatus}`] : []))
  return [...settlements, ...tasks]
}

/** What must hold when everybody is through, faults have stopped and nothing is under way. */
export function checkRest(universe: Universe, database: MemoryDatabase, files: readonly CaseFile[]): void {
  const { chain } = universe.driver
  for (const text of unfinished(database)) universe.violate(`at rest, ${text}`)
  for (const text of differences(universe, database, files)) universe.violate(`at rest, ${text}`)
  for (const text of strayEvents(database)) universe.violate(`at rest, ${text}`)
  const facts = readChain(chain)
  for (const file of files) {
    for (const { text, holds } of file.promised) if (!holds()) universe.violate(`at rest, ${text}, and it is not so`)
    for (const one of file.signed) {
      if (one.kind !== 'lock') continue
      const of = (kind: string): bigint => facts.moved.filter((move) => move.hash === one.name && move.kind === kind).reduce((sum, { amount }) => sum + amount, 0n)
      const held = paymentStateOf(chain, one.name).capturable
      if (of('authorized') !== of('captured') + of('voided') + of('reclaimed') + held) universe.violate(`at rest, ${file.name}: what was locked is not what was paid, returned and held`)
    }
  }
}

/** Tasks that are not over although their deadline is. */
export function stillOpen(database: MemoryDatabase): readonly string[] {
  return database.rows.tasks().flatMap(({ task }) => (isFinal(task.status) ? [] : [`past its deadline, task ${task.id.slice(0, 8)} is ${task.status}`]))
}

/** Nobody's money is held for a task that is over. */
export function checkEvening(universe: Universe, files: readonly CaseFile[]): void {
  for (const file of files) {
    for (const one of file.signed) {
      const held = one.kind === 'lock' ? paymentStateOf(universe.driver.chain, one.name).capturable : 0n
      if (held > 0n) universe.violate(`past its deadline, ${String(held)} of ${file.name} is still held by ${one.name.slice(0, 10)}`)
    }
  }
}
