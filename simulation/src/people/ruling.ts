import type { Dispute, Ruling, RulingInput, TaskView } from '@ergon/core'
import { hashTypedData, type TypedData } from '@ergon/protocols'
import type { MemoryDatabase } from '../store/index.ts'
import { allRows } from '../store/engine/table.ts'
import type { Aim } from '../world/network.ts'
import type { Random } from '../world/random.ts'
import type { JobDeps } from './job.ts'
import type { Plan } from './plan.ts'
import { arbiter, wallets } from './wallets.ts'
import { arbiterReason } from './words.ts'

/** An arbiter with a wallet rules, and perhaps a side takes it to the operator (decision 0168). */
export type RulingPlan = {
  /** Who appeals, and how long after the ruling; null where nobody does. */
  readonly appeal: { readonly by: 'publisher' | 'worker'; readonly afterMs: number } | null
  /** How much of the day after the ruling all machines sleep through. */
  readonly share: number
  /** What its carrying out meets for sure. */
  readonly meets: Aim['kind']
  /** Whether its publisher pays what is decided for the worker, where nothing is held. */
  readonly pays: boolean
}

const most = 10
const hourMs = 3_600_000
const meetings = [undefined, undefined, 'answer lost', 'answer held', 'held', 'repeated', 'sender crashes'] as const
const ruledShare = 0.6
const appealedShare = 0.35

/** Drawn apart, so that the rest of a plan is what it was. */
export function drawRuling(random: Random): RulingPlan | null {
  if (!random.chance(ruledShare)) return null
  return {
    appeal: random.chance(appealedShare)
      ? { by: random.pick(['publisher', 'worker'] as const), afterMs: random.between(0, 6_000) }
      : null,
    share: random.pick([0.5, 1.0005, 1.01, 1.01] as const),
    meets: random.pick(meetings),
    pays: random.chance(0.7),
  }
}

/** What the arbiter says: where a side will appeal, the opposite of what the operator then says. */
function verdictOf({ verdict, splitPct, mode }: Plan, isAppealed: boolean): Pick<RulingInput, 'verdict' | 'splitPct'> {
  if (isAppealed) return { verdict: verdict === 'refund' ? 'release' : 'refund', splitPct: null }
  // What is not held is not divided.
  if (mode === 'fase1') return { verdict: verdict === 'refund' ? 'refund' : 'release', splitPct: null }
  return { verdict, splitPct: verdict === 'split' ? splitPct : null }
}

/** Nothing is held: the publisher pays what was decided for the worker, when the day of appeal is over. */
export async function payOwed(
  { desk, random }: JobDeps,
  look: () => Promise<TaskView | null>,
  approve: () => Promise<boolean>,
): Promise<void> {
  for (let attempt = 1; attempt <= most; attempt += 1) {
    const task = await look()
    if (task?.status !== 'disputed') return
    if (task.turn?.kind === 'owed') await approve()
    await desk.pause(random.between(300, 2_500) * Math.min(attempt, 5))
  }
}

/** From the ruling to its end; true when the operator has to decide. */
export async function keepRuling(deps: JobDeps, plan: RulingPlan, dispute: Dispute, worker: string): Promise<boolean> {
  const { desk, universe, plan: whole, file } = deps
  if (!(await rule(deps, dispute.id, verdictOf(whole, plan.appeal !== null)))) return false
  if (plan.appeal === null) {
    if (plan.meets !== undefined) universe.lines.aim({ money: 'release', nth: 0, kind: plan.meets })
    universe.note(`${file.name}: nobody appeals`)
    deps.sleep(24 * hourMs * plan.share)
    return false
  }
  await desk.pause(plan.appeal.afterMs)
  const side = plan.appeal.by === 'publisher' ? file.publisher : wallets.find(({ name }) => name === worker)
  if (side === undefined) throw new Error(`nobody is called ${worker}`)
  const reply = await desk.insist(`${file.name}: ${side.name} appeals`, (market) =>
    market.appeal(side.caller, dispute.id, 'Another gate, I say.'),
  )
  if (reply?.kind === 'done') promise(deps, dispute.id, 'appealed', ({ appealedBy }) => appealedBy !== null)
  return reply?.kind === 'done' || (await isAppealed(deps, dispute.id))
}

/** Signs anew each time, as the page does; true when a ruling is there. */
async function rule(
  deps: JobDeps,
  disputeId: string,
  verdict: Pick<RulingInput, 'verdict' | 'splitPct'>,
): Promise<boolean> {
  const { desk, file, random } = deps
  const said = { ...verdict, reason: arbiterReason, criteria: ['The gate is on it.', 'By daylight.'] }
  for (let attempt = 1; attempt <= most; attempt += 1) {
    const asked = await desk.ask(`${file.name}: the arbiter asks what to sign`, (market) =>
      market.rulingChallenge(arbiter.caller, disputeId, said),
    )
    if (asked.kind === 'done') {
      const { nonce, deadline, typedData } = asked.value
      const signature = arbiter.sign(hashTypedData(typedData as TypedData)) // a challenge is typed data
      const reply = await desk.ask(`${file.name}: the arbiter rules ${verdict.verdict}`, (market) =>
        market.rule(arbiter.caller, disputeId, { ...said, nonce, deadline, signature }),
      )
      if (reply.kind === 'done') {
        promise(deps, disputeId, 'ruled on', (one) => one.nonce === nonce)
        return true
      }
      if (reply.kind === 'refused') promiseNone(deps, nonce, reply.code)
      if (reply.kind === 'refused' && reply.code === 'DISPUTE_NOT_OPEN') break
    }
    await desk.pause(random.between(300, 2_500) * Math.min(attempt, 5))
  }
  const read = await desk.insist(`${file.name}: the arbiter reads what it ruled`, (market) =>
    market.readRuling(arbiter.caller, disputeId),
  )
  return read?.kind === 'done' && read.value.status === 'standing'
}

async function isAppealed({ desk, file }: JobDeps, disputeId: string): Promise<boolean> {
  const read = await desk.insist(`${file.name}: is the ruling appealed?`, (market) =>
    market.readRuling(file.publisher.caller, disputeId),
  )
  return read?.kind === 'done' && read.value.status === 'appealed'
}

const rulings = ({ disk: { tables } }: MemoryDatabase, is: (one: Ruling) => boolean): readonly Ruling[] =>
  allRows(undefined, tables.rulings, is)

function promise({ file }: JobDeps, disputeId: string, what: string, is: (one: Ruling) => boolean): void {
  file.promised.push({
    text: `${file.name} was said to be ${what}`,
    holds: (database) => rulings(database, (one) => one.disputeId === disputeId && is(one)).length === 1,
  })
}

/** A refusal is a no: what was signed for it is stored nowhere. */
function promiseNone({ file }: JobDeps, nonce: string, code: string): void {
  file.promised.push({
    text: `a ruling on ${file.name} was refused with ${code}`,
    holds: (database) => rulings(database, (one) => one.nonce === nonce).length === 0,
  })
}
