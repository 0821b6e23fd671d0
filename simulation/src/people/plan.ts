import type { MarketSettings, PolicyInput } from '@ergon/core'
import type { Random } from '../world/random.ts'
import { drawRuling, type RulingPlan } from './ruling.ts'
import { drawSilence, type Silence } from './silence.ts'

export type Ending =
  | 'approve'
  | 'cancel before'
  | 'cancel after'
  | 'withdraw, then cancel'
  | 'withdraw, then approve'
  | 'dispute'
  | 'abandon assigned'
  | 'abandon submitted'
  | 'abandon disputed'
  | 'approve against cancel'

/** What a payer, or a stranger, does on the chain without us. */
export type Mischief =
  | 'dust release'
  | 'release part'
  | 'release all'
  | 'charge'
  | 'charge part'
  | 'authorize by hand'
  | 'authorize part'
  | 'authorize, then release all'
  | 'stranger authorizes'
  | 'cancel authorization'
  | 'move the money away'
  | 'distribute fees'
  | 'relay the payout'
  | 'relay the fee'
  | 'cancel the payout'
  | 'cancel the fee'
  | 'cancel the payout, relay the fee'
  | 'reclaim'
  | 'asks the facilitator to release'
  | 'asks the facilitator to authorize'
  | 'worker asks the facilitator to refund'

export type Plan = {
  readonly mode: MarketSettings['paymentMode']
  readonly bountyUsd: string
  readonly ending: Ending
  readonly verdict: 'release' | 'refund' | 'split'
  readonly splitPct: number
  readonly mischief: readonly Mischief[]
  /** Sends each of its requests twice, through two doors. */
  readonly isHasty: boolean
  readonly startsMs: number
  /** What its publisher gives it before anybody applies; null leaves it without. */
  readonly policy: PolicyInput | null
  /** Whether the two settle a dispute that nobody decides between themselves. */
  readonly settles: boolean
  /** What the first worker does of its beginning, where the policy asks for one (decision 0174). */
  readonly start: 'says so' | 'never' | null
  /** Whether who stepped down, or lost the task, applies again. */
  readonly returns: boolean
  /** Whether its payer signs for silence as well. */
  readonly consents: boolean
  /** An arbiter with a wallet rules on its dispute; null where the operator decides. */
  readonly ruling: RulingPlan | null
  /** Its publisher says nothing to what is handed in; null where it follows its ending. */
  readonly silence: Silence | null
}

const endings: readonly [Ending, ...Ending[]] = [
  'approve',
  'approve',
  'approve',
  'approve',
  'approve',
  'cancel before',
  'cancel after',
  'cancel after',
  'withdraw, then cancel',
  'withdraw, then approve',
  'dispute',
  'dispute',
  'dispute',
  'abandon assigned',
  'abandon submitted',
  'abandon disputed',
  'approve against cancel',
]
const withEscrow: readonly [Mischief, ...Mischief[]] = [
  'dust release',
  'dust release',
  'release part',
  'release all',
  'charge',
  'charge part',
  'authorize by hand',
  'authorize part',
  'authorize, then release all',
  'stranger authorizes',
  'cancel authorization',
  'move the money away',
  'move the money away',
  'distribute fees',
  'reclaim',
  'asks the facilitator to release',
  'asks the facilitator to authorize',
  'worker asks the facilitator to refund',
]
const withoutEscrow: readonly [Mischief, ...Mischief[]] = [
  'move the money away',
  'relay the payout',
  'relay the fee',
  'cancel the payout',
  'cancel the fee',
  'cancel the payout, relay the fee',
  'distribute fees',
]

export function drawPlan(random: Random, mode: Plan['mode']): Plan {
  const menu = mode === 'fase1' ? withoutEscrow : withEscrow
  const mischief = random.chance(0.45) ? Array.from({ length: 1 + random.below(2) }, () => random.pick(menu)) : []
  return {
    mode,
    mischief,
    bountyUsd: random.pick(['10', '0.01', '1.37', '99.99', '20'] as const),
    ending: random.pick(endings),
    verdict: random.pick(['release', 'refund', 'split', 'split', 'split', 'split'] as const),
    // Of a small share, two fit into the bounty.
    splitPct: 1 + random.below(random.chance(0.75) ? 49 : 99),
    isHasty: random.chance(0.15),
    startsMs: random.between(0, 4_000),
    settles: mode !== 'fase1' && random.fork('settle').chance(0.6),
    ruling: drawRuling(random.fork('ruling')),
    returns: random.fork('return').chance(0.4),
    ...drawPolicy(random.fork('policy')),
  }
}

/** How many of the tasks with a policy ask for a beginning, and how many let only so many wait. */
const startShare = 0.35
const cappedShare = 0.35

/** Drawn apart, so that the rest of a plan is what it was. */
function drawPolicy(random: Random): Pick<Plan, 'policy' | 'consents' | 'silence' | 'start'> {
  if (!random.chance(0.35)) return { policy: null, consents: false, silence: null, start: null }
  const policy: PolicyInput = {
    reviewHours: random.pick([1, 2, 24, 30, 100] as const),
    disputeHours: random.pick([24, 30, 168, 400] as const),
    onSilence: random.chance(0.8) ? 'release' : 'dispute',
    revisionsMost: random.below(2),
  }
  const [consents, silence] = [random.chance(0.7), drawSilence(random.fork('silence'))]
  const queue = random.fork('queue')
  const capped = queue.chance(cappedShare) ? { applicationsMost: queue.pick([1, 1, 2] as const) } : {}
  const { start, ...begun } = drawStart(random.fork('start'))
  return { policy: { ...policy, ...capped, ...begun }, consents, silence, start }
}

function drawStart(random: Random): Pick<Plan, 'start'> & Pick<PolicyInput, 'startHours'> {
  if (!random.chance(startShare)) return { start: null }
  const startHours = random.pick([1, 2, 5] as const)
  return { startHours, start: random.pick(['says so', 'never', 'never'] as const) }
}
