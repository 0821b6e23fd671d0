import { createMarket, type Market, type MarketSettings } from '@ergon/core'
import { createCountingRegistry, createPlainEvidence, createPlainInspector, createPlainRatings } from '@ergon/core/testing'
import { createMemoryStore, type MemoryDatabase } from '../store/index.ts'
import type { Fault } from '../world/faults.ts'
import type { Host, Life } from '../world/host.ts'
import type { Random } from '../world/random.ts'
import type { Universe } from '../world/universe.ts'
import type { Facilitators } from './facilitator.ts'
import { marketNetwork } from './localnet.ts'
import { createServerRail } from './server-rail.ts'

export type ServersDeps = {
  readonly universe: Universe
  readonly disk: MemoryDatabase
  readonly facilitators: Facilitators
  readonly mode: MarketSettings['paymentMode']
  /** How long a duty pauses between two rounds. */
  readonly pauseMs: () => number
}

/** The marketplace's processes: one database, and whichever of them a client reaches. */
export type Servers = {
  boot(host: Host): void
  /** Null while this life has no market. */
  marketOf(life: Life): Market | null
}

const duties = ['reconcile', 'renewLeases', 'watchRefused', 'disburseFees', 'expire', 'auditMoney'] as const
type Duty = (typeof duties)[number]
/** A duty that is not urgent comes round every so many pauses. */
const slowness: Readonly<Record<Duty, number>> = { reconcile: 1, renewLeases: 1.25, watchRefused: 1.5, disburseFees: 2, expire: 4, auditMoney: 12 }

const pointFaults = ['cut', 'slow', 'crash'] as const
const commitFaults = ['lost before', 'lost after', 'crash before', 'crash after'] as const

export function createServers(deps: ServersDeps): Servers {
  const { universe, disk } = deps
  const markets = new Map<string, Market>()
  return {
    marketOf: (life) => markets.get(life.name) ?? null,
    boot(host) {
      const life = host.start()
      // Its connections close with the process.
      life.onDeath(() => { markets.delete(life.name); disk.dropConnections(life.name) })
      const random = universe.random.fork(`server ${life.name}`)
      let wake = (): void => undefined
      const market = openMarket(deps, life, random, () => { wake() })
      markets.set(life.name, market)
      for (const duty of duties) {
        const loop = startLoop(deps, life, random, duty, market)
        if (duty === 'reconcile') wake = loop
      }
    },
  }
}

function openMarket(deps: ServersDeps, life: Life, random: Random, wake: () => void): Market {
  const { universe, disk, facilitators, mode } = deps
  const { rail, signatures } = createServerRail({
    life, ask: universe.ask, lines: universe.lines, facilitators, random32: () => `0x${random.hex(32)}`, warn: (message) => { universe.note(`   ${life.name}: ${message}`) },
  })
  return createMarket({
    store: createMemoryStore({ disk, connection: life.name, identityNetwork: 'localnet', ...databaseLine(universe, life, random) }),
    networks: [marketNetwork], rails: () => rail, signatures,
    identities: createCountingRegistry(), ratings: createPlainRatings(), evidence: createPlainEvidence(),
    verification: { inspector: createPlainInspector(), reviewer: () => null },
    clock: { now: () => new Date(life.now()) }, ids: { next: () => life.id() },
    wakeup: { settlements: wake, verifications: () => undefined },
    settings: {
      paymentMode: mode, preferredNetwork: 'localnet', identityNetwork: 'localnet', autoRegister: true, requireIdentity: false,
      settleWaitMs: 10_000, leaseMs: 30_000, bounds: { min: '0.01', escrowMax: '100', max: '10000' }, feedbackBaseUrl: 'http://localhost/feedback',
    },
  })
}

type DatabaseLine = Pick<Parameters<typeof createMemoryStore>[0], 'point' | 'commit'>

/** What may happen to a statement on its way, and to a commit on its way back. */
function databaseLine(universe: Universe, life: Life, random: Random): DatabaseLine {
  const { scheduler, faults, weather } = universe
  const soon = (): number => (random.chance(0.97) ? random.between(0.05, 0.6) : random.between(0.6, 40))
  return {
    point(label) {
      const fault = faults.at(`${life.name} ${label}`, { share: weather.store, kinds: pointFaults })
      return new Promise((resolve, reject) => {
        const pass = (ms: number): void => { life.after(ms, resolve, `${life.name} ${label}`) }
        switch (fault?.kind) {
          case 'cut': life.after(soon(), () => { reject(new Error('connection lost')) }, `${life.name} ${label}`); return
          case 'slow': pass(slowFor(fault)); return
          case 'crash': universe.crash(life.host, fault.random); return
          default: pass(soon())
        }
      })
    },
    commit(label) {
      const fault = faults.at(`${life.name} commits`, { share: weather.commits, kinds: commitFaults })
      switch (fault?.kind) {
        case 'crash before':
          universe.crash(life.host, fault.random)
          return 'lost before'
        case 'crash after':
          scheduler.after(0, null, `${life.name} has committed ${label}`, () => { if (life.alive) universe.crash(life.host, fault.random) })
          return 'commit'
        default:
          return fault?.kind ?? 'commit'
      }
    },
  }
}

function slowFor({ random }: Fault<'cut' | 'slow' | 'crash'>): number {
  return random.chance(0.7) ? random.between(50, 2_000) : random.between(2_000, 30_000)
}

/** One duty of one process, again and again; the answer wakes it before its time. */
function startLoop({ universe, pauseMs }: ServersDeps, life: Life, random: Random, duty: Duty, market: Market): () => void {
  let cancel: () => void = () => undefined
  let running = false
  let isWoken = false
  const label = `${life.name} goes about ${duty}`
  const schedule = (ms: number): void => { cancel = life.after(ms, round, label) }
  const round = (): void => {
    running = true
    isWoken = false
    market.duties[duty]().catch((error: unknown) => {
      universe.note(`   ${life.name}: ${duty} failed: ${error instanceof Error ? error.message : String(error)}`)
    }).finally(() => {
      running = false
      schedule(isWoken ? 1 : pauseMs() * slowness[duty] * random.between(0.75, 1.25))
    })
  }
  schedule(random.between(20, pauseMs() * slowness[duty]))
  return () => {
    if (isWoken) return
    isWoken = true
    if (running) return
    cancel()
    schedule(1)
  }
}
