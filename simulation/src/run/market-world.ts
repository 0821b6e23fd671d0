import { isFinal, parseUsd, type MarketSettings, type Task } from '@ergon/core'
import { createMemoryDatabase as createFacilitatorDatabase } from '@ergon/facilitator/testing'
import { deployment } from '../chain/deployment.ts'
import { mint } from '../chain/token.ts'
import { checkAssigned, checkDisputes, checkLocks, checkMoney, type SeenDisputes } from '../invariants/each-step.ts'
import { brokenHandOns, checkQueue, waitingInVain } from '../invariants/queue.ts'
import { brokenRulings, lostRulings, standingStill } from '../invariants/rulings.ts'
import { heldBeyond } from '../invariants/silence.ts'
import { checkEvening, checkRest, stillOpen, unfinished, unreturned } from '../invariants/at-rest.ts'
import { createAccountLock, type AccountLock } from '../parts/account-lock.ts'
import { createFacilitators, type Facilitators } from '../parts/facilitator.ts'
import { drawPaymentGas } from '../parts/gas-book.ts'
import { createServers } from '../parts/server.ts'
import type { CaseFile } from '../people/case-file.ts'
import { createDesk, type Desk } from '../people/desk.ts'
import { doJob } from '../people/job.ts'
import { createMischief } from '../people/mischief.ts'
import { drawPlan } from '../people/plan.ts'
import { walletOf, wallets } from '../people/wallets.ts'
import { allRows } from '../store/engine/table.ts'
import { createMemoryDatabase, type MemoryDatabase } from '../store/index.ts'
import type { Host } from '../world/host.ts'
import { createUniverse, type Universe, type UniverseOptions } from '../world/universe.ts'
import type { World } from './drive.ts'

const fundedAtomic = 1_000_000_000n
const hourMs = 3_600_000
const lockCuts = 0.15
/** Most seeds are small: what goes wrong with one task takes one task, and more seeds see more of it. */
const crowd = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3] as const

type Mode = MarketSettings['paymentMode']

type Stage = {
  readonly universe: Universe
  readonly database: MemoryDatabase
  readonly files: CaseFile[]
  readonly hosts: readonly Host[]
  hasReadChain: () => boolean
  readAgain: () => void
  working: number
  /** When the machines last woke, in the time that they were awake. */
  wokeAt: number
  phase: 'rough' | 'calm' | 'evening' | 'over'
}

type FacilitatorSide = {
  readonly facilitators: Facilitators
  readonly facilitatorHosts: readonly Host[]
  readonly lock: AccountLock
}

/** One or two facilitators, of which one holds the account. */
function openFacilitators(universe: Universe, shape: Universe['random']): FacilitatorSide {
  const { random, scheduler } = universe
  const settled = createFacilitatorDatabase(() => universe.epochMs + scheduler.now())
  const lock = createAccountLock({
    universe,
    random: random.fork('account'),
    raise: () => settled.raise(deployment.facilitator),
    crash: universe.crash,
  })
  const facilitatorHosts: Host[] = Array.from({ length: shape.chance(0.3) ? 2 : 1 }, (_, index) =>
    universe.host(`facilitator-${String(index + 1)}`, (host) => {
      facilitators.boot(host)
    }),
  )
  const facilitators = createFacilitators({
    scheduler,
    random: random.fork('intents'),
    faults: universe.faults,
    trace: universe.trace,
    storeShare: universe.weather.intents,
    ask: universe.ask,
    intents: settled.intents,
    registrations: settled.registrations,
    lock,
    paymentGas: drawPaymentGas(universe),
    hosts: facilitatorHosts,
    crash: universe.crash,
    settleWaitMs: 12_000,
  })
  return { facilitators, facilitatorHosts, lock }
}

/** A marketplace of one or two processes, its facilitator, and up to three tasks with their people. */
export function openMarketWorld(options: UniverseOptions): World {
  const universe = createUniverse(options)
  const { random, driver, scheduler } = universe
  driver.chain.begin((frame) => {
    for (const wallet of wallets) mint(frame, deployment.owner, wallet.address, fundedAtomic)
  })
  const database = createMemoryDatabase()
  beginReading(universe, database)
  const shape = random.fork('shape')
  const mode: Mode = shape.pick(['fase1', 'fase2', 'fase2', 'fase5'] as const)
  const roughPauseMs = shape.pick([1_500, 3_000, 5_000] as const)
  const { facilitators, facilitatorHosts, lock } = openFacilitators(universe, shape)
  const stage: Stage = {
    universe,
    database,
    files: [],
    hosts: [],
    hasReadChain: () => true,
    readAgain: () => undefined,
    working: 0,
    wokeAt: 0,
    phase: 'rough',
  }
  const servers = createServers({
    universe,
    disk: database,
    facilitators,
    mode,
    pauseMs: () => (stage.phase === 'rough' ? roughPauseMs : 4_000),
  })
  const first = universe.host('server-1', (host) => {
    servers.boot(host)
  })
  const serverHosts: [Host, ...Host[]] = shape.chance(0.5)
    ? [
        first,
        universe.host('server-2', (host) => {
          servers.boot(host)
        }),
      ]
    : [first]
  Object.assign(stage, {
    hosts: [...facilitatorHosts, ...serverHosts],
    hasReadChain: servers.hasReadChain,
    readAgain: servers.readAgain,
  })
  for (const host of facilitatorHosts) facilitators.boot(host)
  for (const host of serverHosts) servers.boot(host)
  const desk = createDesk(universe, servers, serverHosts, random.fork('desk'))
  const tasks = shape.pick(crowd)
  for (let index = 0; index < tasks; index += 1) beginJob(stage, facilitators, desk, mode, index)
  for (let cuts = 0; cuts < 3; cuts += 1) {
    scheduler.after(shape.between(2_000, 40_000), null, 'a line of the database of the facilitators', () => {
      if (universe.faults.at('the account lock', { share: lockCuts, kinds: ['cut'] }) !== undefined) lock.cut()
    })
  }
  // Now and then all machines sleep through the deadlines while something is under way.
  if (shape.chance(0.1))
    scheduler.after(shape.between(1_500, 20_000), null, 'every deadline passes early', () => {
      sleep(stage, shape.pick([0.9, 23.995, 24.01] as const) * hourMs)
    })
  endRough(stage, shape.between(10_000, 40_000), shape.chance(lingers))
  return worldOf(stage)
}

/** All machines sleep, and time passes. */
function sleep(stage: Stage, ms: number): void {
  // No database keeps a transaction open through such a night.
  stage.database.stop()
  stage.database.start()
  pass(stage, ms)
}

function pass(stage: Stage, ms: number): void {
  const { universe } = stage
  universe.scheduler.warp(ms)
  stage.wokeAt = universe.scheduler.awake()
  const lastChance = universe.driver.seconds() + marginSeconds
  for (const file of stage.files)
    if (file.signed.some(({ info }) => info !== null && info.authorizationExpiry < lastChance)) file.overslept = true
}

/** How many worlds go on with their faults for a while when everybody is through. */
const lingers = 0.15
const roughLookMs = 2_000

/** Faults stop when their time is over, or when nobody is left whom they could meet. */
function endRough(stage: Stage, afterMs: number, lingersOn: boolean): void {
  const { universe } = stage
  const { scheduler } = universe
  const end = scheduler.now() + afterMs
  const look = (): void => {
    const left = end - scheduler.now()
    if (left > 0 && (lingersOn || !isQuiet(stage) || openAt(stage).length > 0)) {
      scheduler.after(Math.min(left, roughLookMs), null, 'is everybody through?', look)
      return
    }
    universe.note('faults stop')
    universe.faults.stop()
    stage.readAgain()
    stage.phase = 'calm'
    watch(stage, 0)
  }
  scheduler.after(roughLookMs, null, 'is everybody through?', look)
}

/** The reader of the chain has been there all along: it begins where the world begins. */
function beginReading({ driver, epochMs }: Universe, database: MemoryDatabase): void {
  const at = new Date(epochMs)
  const head = { number: BigInt(driver.chain.head.number), at }
  const { disk } = database
  const session = disk.open('beginning', () => undefined)
  const following = { network: 'localnet', first: head.number, followed: head, head, readAt: at }
  // Nobody else is there yet: it is written before the promise is even made.
  void disk.tables.followings.insert(session, { network: 'localnet', following, dueAt: epochMs })
  disk.commit(session)
}

function beginJob(stage: Stage, facilitators: Facilitators, desk: Desk, mode: Mode, index: number): void {
  const { universe } = stage
  const random = universe.random.fork(`task ${String(index)}`)
  const plan = drawPlan(random, mode)
  const atomic = parseUsd(plan.bountyUsd, { symbol: 'USDC', network: 'localnet', decimals: 6 }).atomic
  const file: CaseFile = {
    name: `task ${String(index + 1)}`,
    mode,
    plan,
    publisher: walletOf(random.below(2)),
    bountyAtomic: atomic,
    taskId: '',
    signed: [],
    promised: [],
    meddled: false,
    overslept: false,
    intended: 0,
    kept: { locks: new Map(), approvals: new Map() },
  }
  stage.files.push(file)
  stage.working += 1
  universe.note(
    `${file.name}: ${mode}, ${plan.bountyUsd} USD of ${file.publisher.name}, ${plan.silence === null ? plan.ending : `silence, and its publisher ${plan.silence.wakes}`}${plan.mischief.length === 0 ? '' : `, with mischief: ${plan.mischief.join(', ')}`}`,
  )
  doJob({
    universe,
    desk,
    plan,
    file,
    workers: [walletOf(2 + random.below(2)), walletOf(4)],
    crowd: [walletOf(2), walletOf(3), walletOf(4)],
    random,
    mischief: createMischief(universe, facilitators, file, plan.mischief, random),
    sleep: (ms) => {
      sleep(stage, ms)
    },
  })
    .catch((error: unknown) => {
      universe.violate(
        `${file.name}: its people fell over: ${error instanceof Error ? String(error.stack) : String(error)}`,
      )
    })
    .finally(() => {
      stage.working -= 1
    })
}

/**
 * Nobody is about to do anything. Who is asked first is asked for the least: the whole list is made for the violation
 * alone.
 */
function isQuiet({ universe, files, working }: Stage): boolean {
  return working === 0 && universe.driver.isQuiet() && files.every(({ intended }) => intended === 0)
}

/** What is not at rest. */
function openAt(stage: Stage): readonly string[] {
  const { universe, database, phase } = stage
  return [
    ...unfinished(database),
    ...waitingInVain(database, universe.epochMs + universe.scheduler.now()),
    ...unreturned(universe.driver.chain, database),
    ...(stage.hasReadChain() ? [] : ['the chain is not read']),
    // A day does not pass over a statement that takes a few seconds.
    ...(database.disk.isIdle() ? [] : ['a transaction is open']),
    ...(isQuiet(stage) ? [] : ['a person is not through, or the pool is not empty']),
    ...(phase === 'evening' ? stillOpen(database) : []),
    ...(phase === 'evening' ? waiting(stage) : []),
  ]
}

/** Rulings that have yet to end. */
function waiting({ universe, database }: Stage): readonly string[] {
  return standingStill(database, universe.epochMs + universe.scheduler.now())
}

/** How long a world may take to come to rest, in its own time. */
const restlessRounds = 120
const roundMs = 4_000
/** For so long after they woke, servers may still be letting go of what they slept through: a lease for each step. */
const wakingMs = 120_000
/** What can be paid still when the machines wake is paid. */
const marginSeconds = 60

/** Nothing goes wrong any more: waits for rest, sleeping through the long waits of the retries. */
function watch(stage: Stage, round: number): void {
  const { universe } = stage
  universe.scheduler.after(roundMs, null, 'is everything at rest?', () => {
    for (const host of stage.hosts)
      if (host.life === undefined) {
        watch(stage, round + 1)
        return
      }
    if (!isQuiet(stage) || openAt(stage).length > 0) {
      if (round > restlessRounds) {
        universe.violate(`never at rest: ${openAt(stage).join('; ')}`)
        return
      }
      if (universe.scheduler.awake() - stage.wokeAt >= wakingMs)
        for (const text of heldBeyond(universe, stage.database, stage.files)) universe.violate(text)
      if (round > 8 && stage.working === 0) universe.scheduler.warp(napOf(stage, round))
      watch(stage, round + 1)
      return
    }
    endPhase(stage)
  })
}

/**
 * Where deadlines move, an evening is as long as reviews and disputes: everybody sleeps until something is due, and a
 * little where something is and waits.
 */
function napOf({ universe, phase, database }: Stage, round: number): number {
  const now = universe.epochMs + universe.scheduler.now()
  if (phase !== 'evening' || !isMoving(database, now)) return round > 24 ? 600_000 : 60_000
  const open = database.rows.tasks().flatMap(({ task }) => (isFinal(task.status) ? [] : [task]))
  // What is owed, or ruled and not held any more, is looked at again and again until its task is over.
  const inVain = new Set(open.flatMap((task) => (isUnpaid(task) ? [task.id] : [])))
  const timers = allRows(undefined, database.disk.tables.timers, ({ taskId }) => !inVain.has(taskId))
  const due = [...open.map(({ deadline }) => deadline.getTime()), ...timers.map(({ dueAt }) => dueAt)]
  return due.some((at) => at <= now) ? 600_000 : Math.min(...due) - now
}

function isUnpaid({ turn, escrowStatus }: Task): boolean {
  return turn?.kind === 'owed' || (turn?.kind === 'ruling' && escrowStatus === 'refunded')
}

function isMoving({ rows }: MemoryDatabase, now: number): boolean {
  return rows.tasks().some(({ task: { policy, turn, status, deadline } }) => {
    const moves = policy !== null || turn !== null || deadline.getTime() > now
    return moves && !isFinal(status)
  })
}

function endPhase(stage: Stage): void {
  const { universe, database, files } = stage
  checkRest(universe, database, files)
  if (stage.phase === 'evening' || stillOpen(database).length + waiting(stage).length === 0) {
    checkEvening(universe, database, files)
    const late = [...brokenRulings(database), ...lostRulings(database, files), ...brokenHandOns(database, files)]
    for (const text of late) universe.violate(text)
    stage.phase = 'over'
    return
  }
  stage.phase = 'evening'
  universe.note('every deadline passes')
  pass(stage, 25 * hourMs)
  watch(stage, -4)
}

function worldOf(stage: Stage): World {
  let [seen, told] = [0, 0]
  const disputes: SeenDisputes = { events: new Set(), underWay: new Set() }
  return {
    universe: stage.universe,
    isOver: () => stage.phase === 'over',
    check() {
      checkLocks(stage.universe, stage.database)
      const { events } = stage.database.disk
      if (events.length !== told) {
        checkAssigned(stage.universe, stage.database, stage.files)
        checkDisputes(stage.universe, stage.database, disputes)
        checkQueue(stage.universe, stage.database)
      }
      told = events.length
      const { version } = stage.universe.driver.chain
      if (version === seen) return
      seen = version
      checkMoney(stage.universe, stage.files)
    },
  }
}
