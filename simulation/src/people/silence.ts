import type { TaskView } from '@ergon/core'
import type { Random } from '../world/random.ts'
import type { Aim } from '../world/network.ts'
import type { JobDeps } from './job.ts'

/** A publisher that says nothing to what was handed in, and time that passes over it. */
export type Silence = {
  /** When all machines fall asleep, after the work was handed in. */
  readonly afterMs: number
  /** How much of the review they sleep through. */
  readonly share: number
  /** What the publisher does all the same, when the review is over or nearly. */
  readonly wakes: 'never' | 'approves' | 'rejects'
  /** What the release meets for sure. */
  readonly meets: Aim['kind']
}

const hourMs = 3_600_000
/** How many of the tasks with a policy meet a silent publisher. */
const silentShare = 0.5
const looks = 8
const meetings = [
  undefined,
  'answer lost',
  'answer lost',
  'answer held',
  'held',
  'repeated',
  'sender crashes',
  'receiver crashes before it answers',
  'refused, and its sender stalls',
] as const

export function drawSilence(random: Random): Silence | null {
  if (!random.chance(silentShare)) return null
  return {
    // Some fall asleep before the checks have run.
    afterMs: random.chance(0.5) ? random.between(100, 3_000) : random.between(3_000, 20_000),
    share: random.pick([0.55, 0.95, 1.0005, 1.01, 1.01] as const),
    wakes: random.pick(['never', 'never', 'never', 'approves', 'rejects'] as const),
    meets: random.pick(meetings),
  }
}

type Hands = {
  readonly look: (deps: JobDeps) => Promise<TaskView | null>
  readonly approve: () => Promise<void>
}

/** Nobody decides, and the review runs out; now and then the publisher speaks at that very moment. */
export async function keepSilent(
  deps: JobDeps,
  { afterMs, share, wakes, meets }: Silence,
  submissionId: string,
  hands: Hands,
): Promise<void> {
  const { desk, universe, random, file, plan } = deps
  await desk.pause(afterMs)
  if (meets !== undefined) universe.lines.aim({ money: 'release', nth: 0, kind: meets })
  universe.note(`${file.name}: ${file.publisher.name} says nothing`)
  deps.sleep((plan.policy?.reviewHours ?? 0) * hourMs * share)
  await Promise.all([speak(deps, wakes, submissionId, hands), watch(deps, random.fork('watching'), hands)])
}

async function speak(
  { desk, file, random }: JobDeps,
  wakes: Silence['wakes'],
  submissionId: string,
  { approve }: Hands,
): Promise<void> {
  if (wakes === 'never') return
  await desk.pause(random.between(0, 8_000))
  if (wakes === 'approves') {
    await approve()
    return
  }
  const { caller, name } = file.publisher
  await desk.insist(`${file.name}: ${name} rejects`, (market) =>
    market.reject(caller, submissionId, { reason: 'The gate is not in it.', criteria: [] }),
  )
}

/** A person looks now and then, as long as the task waits for its publisher. */
async function watch(deps: JobDeps, random: Random, { look }: Hands): Promise<void> {
  for (let left = looks; left > 0; left -= 1) {
    await deps.desk.pause(random.between(1_000, 5_000))
    const task = await look(deps)
    if (task === null || task.status !== 'verifying') return
  }
}
