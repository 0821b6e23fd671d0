import type { AdminCaller, Caller } from '@ergon/core'
import type { Accounts, Proven } from '../accounts.ts'
import type { Principal } from '../authenticate.ts'
import type { Agents } from '../known-agents.ts'
import type { Gathered, Plan } from '../plan.ts'
import type { ProveDeps } from '../prove.ts'
import type { RateVerdict } from '../rate-limit.ts'
import type { RawRequest } from '../request.ts'

/** Whose session a request carries, and whether a page may act with it. */
export type PeopleGate = {
  read(request: RawRequest): Promise<Proven | null>
  allows(origin: string | undefined): boolean
}

/**
 * Who is shut out and what is switched off, as this process has it in mind: asking costs nothing (decisions 0057,
 * 0058).
 */
export type Gate = { isBanned(wallet: string): boolean; isOff(section: string): boolean }

export type CheckDeps = ProveDeps & {
  readonly people: PeopleGate
  readonly agents: Agents
  readonly accounts: Pick<Accounts, 'check'>
  readonly isAdminKey: (given: string | undefined) => boolean
  readonly gate: Gate
  /** Whether the process is so late that only those who prove who they are get its time. */
  readonly isOverloaded: () => boolean
}

/** A call on its way through the checks, and what they have learnt about it so far. */
export type Passage = {
  readonly plan: Plan
  readonly request: RawRequest
  readonly path: Readonly<Record<string, string>>
  /** Proven and counted by the transport already, where one request carries a call inside (decision 0063). */
  readonly isInner: boolean
  /** The admin key came with it, so no limit of requests holds (spec §8). */
  isUnlimited: boolean
  /** The admin key came with it, and opens the operation. */
  isAdmin: boolean
  principal: Principal | null
  /** Whose limit it counts against; null: its address. */
  counted: Principal | null
  rate: RateVerdict | null
  caller: Caller | AdminCaller | null
  gathered: Gathered
}

/** Refuses a call by throwing, or notes what it learnt. One that need not wait answers at once. */
export type Check = (deps: CheckDeps, passage: Passage) => Promise<void> | void
