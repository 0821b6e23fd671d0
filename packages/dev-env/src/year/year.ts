import { growHistory } from '@ergon/server/testing'
import { mintTestUsd } from '@ergon/contracts'
import { lowerAddress } from '@ergon/protocols'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { drawJob, type Job, type Played } from '../storm/jobs/job.ts'
import { pass } from '../storm/lines/passing.ts'
import { markHistory, type AfterHistory } from '../storm/proof/table-facts.ts'
import type { Finding } from '../storm/proof/verdict.ts'
import { seededRandom, type Random } from '../storm/random.ts'
import type { Fault } from '../storm/report.ts'
import { startStage, type Stage } from '../storm/stage/stage.ts'
import { watchSettlements, type Watch } from '../storm/stage/watch-settlements.ts'
import { groundOf, playAll, prove, type Narrate } from '../storm/storm.ts'
import { auditNow } from './audit.ts'
import { yearFaults, type Clocks, type FaultName } from './faults.ts'
import type { YearOptions } from './options.ts'
import { yearReportOf, type Part, type YearReport } from './report.ts'
import { watchProbes } from './watch-probes.ts'

export type YearRun = YearOptions & {
  readonly narrate?: Narrate
  /** What a test does to the money before the last proof. */
  readonly tamper?: (stage: Stage, played: readonly Played[]) => Promise<void>
}

/** What the audit and the proof need at the end, milliseconds. */
const reserveMs = 25_000

/** Plays what happens to a deployment in a year: a history, load, each fault in turn, an audit. */
export async function runYear(run: YearRun): Promise<YearReport> {
  const begun = performance.now()
  const { narrate = (): void => undefined, tamper } = run
  const clocks: Clocks = new Map()
  await using stage = await startStage({
    servers: 2,
    facilitators: 2,
    mode: () => 'fase2',
    decide: () => pass,
    lost: () => undefined,
    envOf: (name) => clockOf(clocks.get(name)),
    onDeath: (name, log) => {
      narrate(`${name} ended by itself:\n${log}`)
    },
  })
  const history = performance.now()
  await growHistory(stage.database.url('ergon'), run.history)
  const historySeconds = secondsSince(history)
  narrate(`${String(run.history)} jobs of history in ${String(historySeconds)} s`)
  const after = await markHistory(stage.database.url('ergon'))
  await using watch = watchSettlements(() => stage.database.url('ergon'))
  const year: Year = { run, stage, watch, after, clocks, begun, random: seededRandom(run.seed) }
  const parts = await playParts(year)
  const played = parts.flatMap((part) => part.played)
  await tamper?.(stage, played)
  const until = begun + run.seconds * 1_000
  await watch.quiet(Math.min(until, performance.now() + run.patience * 1_000))
  const audit = await auditNow(stage, Math.min(until, performance.now() + run.patience * 1_000))
  const findings = await prove(
    stage,
    played,
    tamper === undefined ? until - performance.now() : 3_000,
    undefined,
    after,
  )
  return yearReportOf({
    history: run.history,
    historySeconds,
    parts,
    audit,
    findings,
    openings: watch.openings,
    deaths: [...stage.members]
      .filter(([name]) => name.startsWith('server'))
      .reduce((sum, [, { process }]) => sum + process.deaths(), 0),
    seconds: secondsSince(begun),
  })
}

type Year = {
  readonly run: YearRun
  readonly stage: Stage
  readonly watch: Watch
  readonly after: AfterHistory
  readonly clocks: Clocks
  readonly begun: number
  readonly random: Random
}

type Plan = {
  readonly name: string
  readonly what: string
  readonly faultName: FaultName | undefined
  readonly jobs: number
  readonly patienceMs: number
}

/** The load, then each fault with its jobs; in an unhurried year each is proven before the next. */
async function playParts(year: Year): Promise<readonly Part[]> {
  const { run, stage, after } = year
  const parts: Promise<Part>[] = []
  const blamed = new Set<string>()
  const proven = async (part: Part): Promise<Part> => {
    const played = (await Promise.all(parts)).flatMap((one) => one.played)
    const found = await prove(stage, played, patienceOf(year), (one) => blamed.has(textOf(one)), after)
    const findings = found.filter((one) => !blamed.has(textOf(one)))
    for (const one of findings) blamed.add(textOf(one))
    return { ...part, findings }
  }
  const done: Part[] = []
  const plans: readonly (readonly [string, FaultName | undefined, number])[] = [
    ['load', undefined, run.load],
    ...run.faults.map((name) => [name, name, run.beside] as const),
  ]
  for (const [name, faultName, jobs] of plans) {
    const what = faultName === undefined ? 'whole jobs, nothing breaks' : yearFaults[faultName].what
    const struck = Promise.withResolvers<void>()
    if (faultName === undefined || yearFaults[faultName].isQuiet === true) await Promise.all(parts)
    const part = playPart(year, { name, what, faultName, jobs, patienceMs: patienceOf(year) }, struck.resolve).catch(
      (error: unknown): Part => {
        struck.resolve()
        const failure = error instanceof Error ? error.message : String(error)
        return { name, what, fault: undefined, played: [], seconds: 0, said: [], findings: [], failure }
      },
    )
    parts.push(part)
    void part.then((one) => {
      run.narrate?.(toldOf(one))
    })
    if (run.isUnhurried) done.push(await proven(await part))
    else await Promise.race([part, struck.promise.then(() => pause(betweenMs))])
  }
  return run.isUnhurried ? done : Promise.all(parts)
}

const textOf = ({ kind, text }: Finding): string => `${kind}: ${text}`

function toldOf({ name, played, seconds, said, failure }: Part): string {
  const done = played.filter(({ isDone }) => isDone).length
  const words = [...said, ...(failure === undefined ? [] : [failure])].join('; ') || 'nothing said'
  return `${name}: ${String(done)} of ${String(played.length)} jobs, ${String(seconds)} s, ${words}`
}

/** How long something may still take, milliseconds: what the end needs is kept. */
function patienceOf({ run, begun }: Year): number {
  const left = begun + run.seconds * 1_000 - reserveMs - performance.now()
  return Math.max(0, Math.min(run.patience * 1_000, left))
}

/** Jobs begin over some seconds; the fault strikes when the first of them are under way. */
async function playPart(year: Year, plan: Plan, struck: () => void): Promise<Part> {
  const { stage, watch, clocks } = year
  const { name, what, faultName, jobs, patienceMs } = plan
  if (patienceMs < 5_000) throw new Error('there was no time left for it')
  await stage.ready()
  const drawn = await drawJobs(year, jobs)
  const probes = watchProbes(stage)
  const begun = performance.now()
  const isQuiet = faultName !== undefined && yearFaults[faultName].isQuiet === true
  let fault: Fault | undefined
  const strike = async (): Promise<void> => {
    if (faultName === undefined) return
    if (!isQuiet) await pause(strikesAfterMs)
    fault = { name: faultName, from: performance.now(), to: 0 }
    await yearFaults[faultName].strike(stage, clocks, probes)
    fault.to = performance.now()
    struck()
  }
  const play = (): Promise<readonly Played[]> =>
    playAll(groundOf(stage), drawn, {
      endsAt: performance.now() + spreadMs(jobs),
      beginsBy: performance.now() + patienceMs,
      patienceMs,
    })
  if (isQuiet) await strike()
  const [played] = await Promise.all([play(), isQuiet ? undefined : strike()])
  const seconds = secondsSince(begun)
  if (year.run.isUnhurried) await watch.quiet(performance.now() + patienceMs)
  const said = await probes.stop()
  const failure =
    played.length < jobs ? `${String(jobs - played.length)} jobs did not begin` : silenceOf(faultName, said)
  return { name, what, fault, played, seconds, said, findings: [], failure }
}

/** What nobody said, though it was so. */
function silenceOf(faultName: FaultName | undefined, said: readonly string[]): string | undefined {
  const isSaid = faultName === undefined ? undefined : yearFaults[faultName].isSaid
  return isSaid === undefined || isSaid.some((word) => said.includes(word))
    ? undefined
    : `no server said ${isSaid.join(' or ')}`
}

const strikesAfterMs = 1_500
/** Between the end of a fault and the jobs of the next, in a short year. */
const betweenMs = 2_500
const spreadMs = (jobs: number): number => 4_000 + 250 * jobs

let number = 0
async function drawJobs({ random, stage }: Year, count: number): Promise<readonly Job[]> {
  const jobs = Array.from({ length: count }, () => drawJob(random, (number += 1)))
  for (const { payer, mintedAtomic } of jobs)
    await mintTestUsd(stage.chain.rpcUrl, lowerAddress(payer.address), mintedAtomic)
  return jobs
}

const movedClock = fileURLToPath(new URL('moved-clock.ts', import.meta.url))

function clockOf(aheadMs: number | undefined): Readonly<Record<string, string>> {
  if (aheadMs === undefined) return {}
  const own = process.env['NODE_OPTIONS'] ?? ''
  return { NODE_OPTIONS: `${own} --import=${movedClock}`.trim(), ERGON_CLOCK_AHEAD_MS: String(aheadMs) }
}

function secondsSince(begun: number): number {
  return Number(((performance.now() - begun) / 1_000).toFixed(1))
}
