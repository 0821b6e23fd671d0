import { createChainDriver, type ChainDriver } from '../parts/chain-driver.ts'
import { createRpcLine, type AskChain } from '../parts/rpc-line.ts'
import { createFaults, type FaultFilter, type Faults } from './faults.ts'
import { createHost, type Host } from './host.ts'
import { createLines, type Aim, type Lines } from './network.ts'
import { createRandom, type Random } from './random.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { createTrace, type Trace } from './trace.ts'

export type UniverseOptions = {
  readonly seed: number
  readonly keepsTrace: boolean
  readonly filter: FaultFilter
}

/** How rough this seed's world is; some seeds spare a part of it, so that the others are met undisturbed. */
export type Weather = {
  readonly lines: number
  readonly rpc: number
  readonly late: number
  readonly store: number
  readonly commits: number
  readonly intents: number
  readonly blocks: number
  readonly crowded: number
  readonly haste: number
  readonly aim: Aim | undefined
  /** Whether facilitators bound the gas of payments. */
  readonly frugal: boolean
}

/** All that one seed decides. Nothing in it knows another seed. */
export type Universe = {
  readonly seed: number
  readonly random: Random
  readonly scheduler: Scheduler
  readonly trace: Trace
  readonly faults: Faults
  readonly weather: Weather
  readonly driver: ChainDriver
  readonly ask: AskChain
  readonly lines: Lines
  readonly epochMs: number
  /** A machine of its own, with the program that runs on it. */
  host(name: string, boot: (host: Host) => void): Host
  /** Ends the process on a machine; it is started again after a while. */
  crash(host: Host, random: Random): void
  note(text: string): void
  /** What must never be; the run ends with it. */
  violate(text: string): void
  readonly violations: readonly string[]
}

/** 21 November 2026, noon: a day like any other. */
const epochMs = Date.UTC(2026, 10, 21, 12)

/** How many seeds have a fault that is aimed at one of their first payments. */
const aimedShare = 0.3
const aimedSteps = ['authorize', 'authorize', 'release', 'release', 'refundInEscrow', 'pay'] as const

/** In frugal worlds: what was refused for its gas comes once more. */
const frugalShare = 0.15
const frugalRepeats = 0.7
const frugalSteps = ['authorize', 'authorize', 'pay'] as const

function aimOf(random: Random): Aim | undefined {
  return random.chance(aimedShare)
    ? { money: random.pick(aimedSteps), nth: random.pick([0, 0, 0, 1] as const) }
    : undefined
}

function frugalAimOf(random: Random): Aim | undefined {
  return random.chance(frugalRepeats)
    ? { money: random.pick(frugalSteps), nth: random.pick([0, 0, 1, 2] as const), kind: 'repeated' }
    : undefined
}

function weatherOf(random: Random, gas: Random): Weather {
  const level = random.pick([0.4, 0.8, 1.2, 2, 3.2] as const)
  const frugal = gas.chance(frugalShare)
  const rough = (usual: number): number => (random.chance(0.25) ? 0 : usual * level * random.between(0.3, 1.7))
  return {
    lines: rough(0.12),
    rpc: rough(0.03),
    late: random.chance(0.15) ? random.between(0.08, 0.4) : 0,
    store: rough(0.004),
    commits: rough(0.03),
    intents: rough(0.03),
    blocks: rough(0.15),
    crowded: random.chance(0.1) ? random.between(0.5, 0.95) : 0,
    haste: random.pick([0, 0.6, 0.85, 0.95] as const),
    aim: frugal ? frugalAimOf(gas) : aimOf(random),
    frugal,
  }
}

export function createUniverse({ seed, keepsTrace, filter }: UniverseOptions): Universe {
  const random = createRandom(seed)
  const trace = createTrace(keepsTrace)
  const scheduler = createScheduler({ onStep: keepsTrace ? trace.line : undefined })
  const faults = createFaults({ random: random.fork('faults'), now: () => scheduler.now(), trace, filter, level: 1 })
  const weather = weatherOf(random.fork('weather'), random.fork('gas'))
  const boots = new Map<Host, (host: Host) => void>()
  const violations: string[] = []
  const note = (text: string): void => {
    trace.line(scheduler.now(), text)
  }

  const crash = (host: Host, drawn: Random): void => {
    if (host.life === undefined) return
    host.crash()
    const after = drawn.chance(0.8) ? drawn.between(20, 6_000) : drawn.between(6_000, 60_000)
    scheduler.after(after, null, `${host.name} is started again`, () => {
      if (host.life === undefined) boots.get(host)?.(host)
    })
  }
  const driver = createChainDriver({
    scheduler,
    random: random.fork('blocks'),
    faults,
    trace,
    epochMs,
    share: weather.blocks,
    crowdedShare: weather.crowded,
  })
  const clocks = random.fork('clocks')
  return {
    seed,
    random,
    scheduler,
    trace,
    faults,
    weather,
    driver,
    epochMs,
    crash,
    note,
    violations,
    ask: createRpcLine({
      driver,
      random: random.fork('rpc'),
      faults,
      share: weather.rpc,
      lateShare: weather.late,
      crash,
    }),
    lines: createLines({
      scheduler,
      random: random.fork('lines'),
      faults,
      share: weather.lines,
      aim: weather.aim,
      crash,
    }),
    host(name, boot) {
      const skew = { offsetMs: Math.floor(clocks.between(-2_000, 2_000)), rate: 1 + clocks.between(-0.0005, 0.0005) }
      const host = createHost(name, { scheduler, random: random.fork(name), trace, epochMs, skew })
      boots.set(host, boot)
      return host
    },
    violate(text) {
      violations.push(text)
      note(`VIOLATION: ${text}`)
    },
  }
}
