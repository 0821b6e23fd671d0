import { createMarket, isFinal, type Market, type MarketSettings } from '@ergon/core'
import {
  createCountingRegistry,
  createPlainEvidence,
  createPlainInspector,
  createPlainRatings,
  createPlainUploads,
} from '@ergon/core/testing'
import { arbiter } from '../people/wallets.ts'
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
  /** Whether the reader of the chain has read it as it is now. */
  hasReadChain(): boolean
  /** What was read through lines that fail is read again. */
  readAgain(): void
}

const duties = [
  'reconcile',
  'renewLeases',
  'watchRefused',
  'disburseFees',
  'followChains',
  'expire',
  'auditMoney',
] as const
/** What tasks with a policy need besides; their rounds are drawn apart, so that the others go as they went. */
const policyDuties = ['verify', 'runTimers'] as const
type Duty = (typeof duties)[number] | (typeof policyDuties)[number]
/** A duty that is not urgent comes round every so many pauses. */
const slowness: Readonly<Record<Duty, number>> = {
  reconcile: 1,
  renewLeases: 1.25,
  watchRefused: 1.5,
  disburseFees: 2,
  followChains: 2,
  expire: 4,
  auditMoney: 20,
  verify: 2,
  runTimers: 3,
}

const pointFaults = ['cut', 'slow', 'crash'] as const
const commitFaults = ['lost before', 'lost after', 'crash before', 'crash after'] as const

export function createServers(deps: ServersDeps): Servers {
  const { universe, disk } = deps
  const rounds: Rounds = { ...deps, readTo: '' }
  const markets = new Map<string, Market>()
  return {
    marketOf: (life) => markets.get(life.name) ?? null,
    hasReadChain: () => rounds.readTo === toRead(rounds),
    readAgain() {
      rounds.readTo = ''
    },
    boot(host) {
      const life = host.start()
      // Its connections close with the process.
      life.onDeath(() => {
        markets.delete(life.name)
        disk.dropConnections(life.name)
      })
      const random = universe.random.fork(`server ${life.name}`)
      let wake = (): void => undefined
      const market = openMarket(deps, life, random, () => {
        wake()
      })
      markets.set(life.name, market)
      wake = startRounds(rounds, life, random, market)
    },
  }
}

function openMarket(deps: ServersDeps, life: Life, random: Random, wake: () => void): Market {
  const { universe, disk, facilitators, mode } = deps
  const { rail, signatures } = createServerRail({
    life,
    ask: universe.ask,
    lines: universe.lines,
    facilitators,
    random32: () => `0x${random.hex(32)}`,
    warn: (message) => {
      universe.note(`   ${life.name}: ${message}`)
    },
  })
  return createMarket({
    store: createMemoryStore({
      disk,
      connection: life.name,
      identityNetwork: 'localnet',
      ...databaseLine(universe, life, random),
    }),
    networks: [marketNetwork],
    rails: () => rail,
    signatures,
    identities: createCountingRegistry(),
    ratings: createPlainRatings(),
    evidence: createPlainEvidence(),
    uploads: createPlainUploads(),
    verification: { inspector: createPlainInspector(), reviewer: () => null },
    clock: { now: () => new Date(life.now()) },
    ids: { next: () => life.id() },
    wakeup: { settlements: wake, verifications: () => undefined },
    settings: {
      paymentMode: mode,
      preferredNetwork: 'localnet',
      identityNetwork: 'localnet',
      autoRegister: true,
      requireIdentity: false,
      settleWaitMs: 10_000,
      leaseMs: 30_000,
      bounds: { min: '0.01', escrowMax: '100', max: '10000' },
      policy: null,
      arbiters: [arbiter.address],
      feedbackBaseUrl: 'http://localhost/feedback',
    },
  })
}

const never = new Promise<void>(() => undefined)

type DatabaseLine = Pick<Parameters<typeof createMemoryStore>[0], 'point' | 'commit'>

/** What may happen to a statement on its way, and to a commit on its way back. */
function databaseLine(universe: Universe, life: Life, random: Random): DatabaseLine {
  const { scheduler, faults, weather } = universe
  const pointMenu = { share: weather.store, kinds: pointFaults }
  const commitMenu = { share: weather.commits, kinds: commitFaults }
  const soon = (): number => (random.chance(0.97) ? random.between(0.05, 0.6) : random.between(0.6, 40))
  return {
    point(label) {
      // What died goes on until it next waits, and no further.
      if (!life.alive) return never
      const fault = faults.at(`${life.name} ${label}`, pointMenu)
      // Where nothing goes wrong, some of the statements run on without letting others in between.
      if (fault === undefined && random.chance(weather.haste)) return undefined
      return new Promise((resolve, reject) => {
        const pass = (ms: number): void => {
          life.after(ms, resolve, `${life.name} ${label}`)
        }
        switch (fault?.kind) {
          case 'cut':
            life.after(
              soon(),
              () => {
                reject(new Error('connection lost'))
              },
              `${life.name} ${label}`,
            )
            return
          case 'slow':
            pass(slowFor(fault))
            return
          case 'crash':
            universe.crash(life.host, fault.random)
            return
          default:
            pass(soon())
        }
      })
    },
    commit(label) {
      const fault = faults.at(`${life.name} commits`, commitMenu)
      switch (fault?.kind) {
        case 'crash before':
          universe.crash(life.host, fault.random)
          return 'lost before'
        case 'crash after':
          scheduler.after(0, null, `${life.name} has committed ${label}`, () => {
            if (life.alive) universe.crash(life.host, fault.random)
          })
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

/** What the processes share: up to which state of the chain one of them has read it. */
type Rounds = ServersDeps & { readTo: string }

/** The chain as it is, and how much of it is written down: what was written late is to be looked for as well. */
function toRead({ disk, universe: { driver } }: ServersDeps): string {
  return `${String(driver.chain.version)} ${String(disk.rows.movements().length)}`
}

/** When the chain was read last: a round that another one held the lease of changes nothing of it. */
function readAt({ disk }: ServersDeps): string {
  return [...disk.disk.tables.followings.slots]
    .map(({ committed }) => String(committed?.following?.readAt.getTime()))
    .join(' ')
}

/** Whether the reader of the chain is at its end. */
function isRead({ disk, universe: { driver } }: ServersDeps): boolean {
  const last = driver.chain.blocks.at(-1)?.number ?? 0
  return [...disk.disk.tables.followings.slots].some(
    ({ committed }) => Number(committed?.following?.followed.number ?? 0n) >= last,
  )
}

/** What a duty would find if it looked: nothing means that its round would read one row less than one. */
function isAnythingThere(deps: Rounds, duty: Duty, now: number): boolean {
  const {
    disk: {
      disk: { tables },
    },
  } = deps
  switch (duty) {
    case 'reconcile':
      return some(
        tables.settlements,
        ({ settlement: { status }, dueAt }) => dueAt <= now && (status === 'claimed' || status === 'in_doubt'),
      )
    case 'watchRefused':
      return some(
        tables.settlements,
        ({ settlement: { status }, dueAt, watchUntil }) => status === 'refused' && watchUntil !== null && dueAt <= now,
      )
    case 'disburseFees':
      return (
        some(
          tables.settlements,
          ({ settlement: { status, purpose } }) =>
            status === 'confirmed' && (purpose === 'release' || purpose === 'award'),
        ) || some(tables.sweeps, ({ status }) => status === 'open')
      )
    case 'expire':
      return some(tables.tasks, ({ task }) => !isFinal(task.status) && task.deadline.getTime() <= now)
    // Without a new block and behind nothing, it would read what it has read.
    case 'followChains':
      return deps.readTo !== toRead(deps) || some(tables.movements, ({ missingSince }) => missingSince !== null)
    case 'verify':
      return some(
        tables.submissions,
        ({ verificationDueAt, submission: { taskId } }) =>
          verificationDueAt !== null &&
          verificationDueAt <= now &&
          some(tables.tasks, ({ task }) => task.id === taskId && task.policy !== null),
      )
    case 'runTimers':
      return some(tables.timers, ({ dueAt }) => dueAt <= now)
    case 'renewLeases':
    case 'auditMoney':
      return true
  }
}

function some<R>(
  { slots }: { readonly slots: Iterable<{ readonly committed: R | undefined }> },
  is: (row: R) => boolean,
): boolean {
  for (const { committed } of slots) if (committed !== undefined && is(committed)) return true
  return false
}

/** The rounds of one process: now this duty, now that, never one of them twice at once; the answer wakes it early. */
function startRounds(deps: Rounds, life: Life, random: Random, market: Market): () => void {
  const { universe, pauseMs } = deps
  const busy = new Set<Duty>()
  const apart = random.fork('policy')
  let cancel: () => void = () => undefined
  let isWoken = false
  const label = `${life.name} goes its round`
  const begin = (duty: Duty): void => {
    if (busy.has(duty) || !isAnythingThere(deps, duty, life.now())) return
    busy.add(duty)
    const [read, before] = [toRead(deps), readAt(deps)]
    market.duties[duty]()
      .then(() => {
        if (duty === 'followChains' && readAt(deps) !== before && isRead(deps)) deps.readTo = read
      })
      .catch((error: unknown) => {
        universe.note(`   ${life.name}: ${duty} failed: ${error instanceof Error ? error.message : String(error)}`)
      })
      .finally(() => {
        busy.delete(duty)
      })
  }
  const round = (): void => {
    const hurry = isWoken
    isWoken = false
    for (const duty of duties) if ((hurry && duty === 'reconcile') || random.chance(1 / slowness[duty])) begin(duty)
    for (const duty of policyDuties) if (apart.chance(1 / slowness[duty])) begin(duty)
    cancel = life.after(pauseMs() * random.between(0.75, 1.25), round, label)
  }
  cancel = life.after(random.between(20, pauseMs()), round, label)
  return () => {
    if (isWoken) return
    isWoken = true
    cancel()
    cancel = life.after(1, round, label)
  }
}
