import { setTimeout as pause } from 'node:timers/promises'
import { localChainId, mintTestUsd } from '@ergon/contracts'
import { lowerAddress } from '@ergon/protocols'
import { paymentModes } from '../constellation/options.ts'
import { passDeadline } from '../testing/pass-deadline.ts'
import { createAim, fateKinds, type BadFate } from './aim.ts'
import { planBlows, strikeBlow, type Blow, type BlowKind } from './blows.ts'
import { drawJob, type Job, type Played } from './jobs/job.ts'
import { playJob, type Ground } from './jobs/play-job.ts'
import type { StormOptions } from './options.ts'
import { readChainFacts } from './proof/chain-facts.ts'
import { noHistory, readTableFacts } from './proof/table-facts.ts'
import { findingsOf, type Finding } from './proof/verdict.ts'
import { seededRandom } from './random.ts'
import { reportOf, type Fault, type StormReport } from './report.ts'
import { startStage, type Stage } from './stage/stage.ts'
import { watchSettlements } from './stage/watch-settlements.ts'

/** How a storm is told while it lasts. */
export type Narrate = (line: string) => void

const atOnce = 6
/** What is under way when the faults stop has this long to end. */
const patienceMs = 120_000
const gapMs = 400

/** Does jobs for real while everything around them breaks, and proves from outside what became of the money. */
export async function runStorm(
  options: Omit<StormOptions, 'json' | 'help'>,
  narrate: Narrate = () => undefined,
): Promise<StormReport> {
  const begun = performance.now()
  const random = seededRandom(options.seed)
  const faults: Fault[] = []
  const aim = createAim({
    random,
    gapMs,
    ...wantedFates(options.faults),
    struck: ({ kind, point, lastsMs }) => {
      faults.push(faultNow(`${kind} ${point}`, lastsMs))
    },
  })
  let mode = 0
  await using stage = await startStage({
    servers: 2,
    facilitators: 2,
    decide: aim.decide,
    lost: aim.lost,
    onDeath: (name, log) => {
      narrate(`${name} ended by itself:\n${log}`)
    },
    mode: () => paymentModes[mode % paymentModes.length] ?? 'fase2',
  })
  const jobs = Array.from({ length: options.jobs }, (_, index) => drawJob(random, index + 1))
  for (const { payer, mintedAtomic } of jobs)
    await mintTestUsd(stage.chain.rpcUrl, lowerAddress(payer.address), mintedAtomic)
  await using watch = watchSettlements(() => stage.database.url('ergon'))
  const members = [...stage.members.keys()]
  const wanted = (kind: string, target: string): boolean => isWanted(options.faults, kind, target)
  const blows = planBlows({ random, seconds: options.seconds, members, isWanted: wanted })
  narrate(
    `${String(jobs.length)} jobs for ${String(options.seconds)} s, ` +
      `${String(blows.length)} blows, seed ${String(options.seed)}`,
  )
  const endsAt = performance.now() + options.seconds * 1_000
  aim.calm(false)
  const striking = strikeAll(stage, blows, (fault) => {
    faults.push(fault)
    narrate(fault.name)
  })
  const turning = turnModes(stage, options.seconds, () => {
    mode += 1
    narrate(`new servers pay in mode ${paymentModes[mode % paymentModes.length] ?? ''}`)
  })
  const playing = playAll(groundOf(stage), jobs, { endsAt, patienceMs })
  await Promise.race([pause(Math.max(0, endsAt - performance.now())), playing])
  aim.calm(true)
  const kills = await striking.stop()
  await turning.stop()
  narrate(`calm after ${String(faults.length)} faults`)
  const played = await playing
  await watch.quiet(performance.now() + patienceMs)
  const findings = await prove(stage, played)
  return reportOf({
    seed: options.seed,
    played,
    faults,
    kills: kills + mode * 2,
    deaths: deathsOfServers(stage),
    findings,
    points: aim.points,
    openings: watch.openings,
    seconds: Math.round((performance.now() - begun) / 1_000),
  })
}

const deathsOfServers = ({ members }: Stage): number =>
  [...members].filter(([name]) => name.startsWith('server')).reduce((sum, [, { process }]) => sum + process.deaths(), 0)

const faultNow = (name: string, lastsMs: number): Fault => ({
  name,
  from: performance.now(),
  to: performance.now() + lastsMs,
})

/** Whether the words of `--faults` ask for this; none ask for everything. */
function isWanted(words: readonly string[], kind: string, target: string): boolean {
  return (
    words.length === 0 ||
    words.some((word) => {
      const [of, at = ''] = word.split('@')
      return of === kind && target.includes(at)
    })
  )
}

function wantedFates(words: readonly string[]): {
  readonly kinds: ReadonlySet<BadFate>
  readonly only: readonly string[]
} {
  const known: readonly string[] = fateKinds
  const asked = words.map((word) => word.split('@')).filter(([kind = '']) => known.includes(kind))
  return {
    kinds: new Set(words.length === 0 ? fateKinds : fateKinds.filter((one) => asked.some(([kind]) => kind === one))),
    only: asked.every(([, at]) => at !== undefined) ? asked.map(([, at = '']) => at) : [],
  }
}

export function groundOf(stage: Stage): Ground {
  return {
    url: stage.url,
    chainId: localChainId,
    adminKey: stage.adminKey,
    async passDeadline(taskId) {
      for (let isPast = false; !isPast;) {
        isPast = await passDeadline(stage.database.url('ergon'), taskId).then(
          () => true,
          () => false,
        )
        if (!isPast) await pause(200)
      }
    },
  }
}

export type Times = {
  /** The starts are spread over four fifths of the time until then. */
  readonly endsAt: number
  /** What has not begun by then, where others took long, is left out; `endsAt` unless told otherwise. */
  readonly beginsBy?: number
  /** How long a job may take after `endsAt`. */
  readonly patienceMs: number
}

/** A few at once. */
export async function playAll(
  ground: Ground,
  jobs: readonly Job[],
  { endsAt, beginsBy = endsAt, patienceMs }: Times,
): Promise<readonly Played[]> {
  const begun = performance.now()
  const played: Played[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let place = next++; performance.now() < beginsBy; place = next++) {
      const job = jobs[place]
      if (job === undefined) return
      const startsAt = begun + (0.8 * (endsAt - begun) * place) / jobs.length
      await pause(Math.max(0, startsAt - performance.now()))
      played.push(await playJob(ground, job, endsAt + patienceMs))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return played
}

/** Something that goes on beside the jobs until it is stopped. */
type Beside<T> = { stop(): Promise<T> }

function strikeAll(stage: Stage, blows: readonly Blow[], told: (fault: Fault) => void): Beside<number> {
  const abort = new AbortController()
  let kills = 0
  const lethal: ReadonlySet<BlowKind> = new Set(['kill', 'crash'])
  const run = async (): Promise<void> => {
    const begun = performance.now()
    for (const blow of blows) {
      await pause(Math.max(0, begun + blow.atMs - performance.now()), undefined, { signal: abort.signal })
      const fault = faultNow(`${blow.kind} ${blow.target}`, blow.lastsMs)
      told(fault)
      await strikeBlow(stage, blow)
      fault.to = performance.now()
      if (lethal.has(blow.kind)) kills += 1
    }
  }
  const running = run().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error
  })
  return {
    async stop() {
      abort.abort()
      await running
      return kills
    },
  }
}

/** The deployment changes its mode twice, as an operator does: each server is replaced by one with the new setting. */
function turnModes(stage: Stage, seconds: number, turned: () => void): Beside<void> {
  const abort = new AbortController()
  const run = async (): Promise<void> => {
    for (let turn = 1; turn < paymentModes.length; turn += 1) {
      await pause((seconds * 1_000) / paymentModes.length, undefined, { signal: abort.signal })
      turned()
      for (const [name, { process }] of stage.members) if (name.startsWith('server')) await process.kill()
    }
  }
  const running = run().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error
  })
  return {
    async stop() {
      abort.abort()
      await running
    },
  }
}

/** Asks until nothing is wrong: sweeps and duties may still be at work. What is wrong in the end is what counts. */
export async function prove(
  stage: Pick<Stage, 'chain' | 'database'>,
  played: readonly Played[],
  forMs = patienceMs,
  isKnown: (finding: Finding) => boolean = () => false,
  after = noHistory,
): Promise<readonly Finding[]> {
  const until = performance.now() + forMs
  for (;;) {
    const [chain, tables] = [
      await readChainFacts(stage.chain.rpcUrl),
      await readTableFacts(stage.database.url('ergon'), stage.database.url('facilitator'), after),
    ]
    const findings = findingsOf({ chain, tables, played })
    if (findings.every(isKnown) || performance.now() > until) return findings
    await pause(1_000)
  }
}
