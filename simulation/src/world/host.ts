import type { Random } from './random.ts'
import type { Owner, Scheduler } from './scheduler.ts'
import type { Trace } from './trace.ts'

/** How a process sees the time: shifted, and a little too fast or too slow. */
export type Skew = { readonly offsetMs: number; readonly rate: number }

/** One run of a process, from its start to its crash. What it waits for after that never comes. */
export type Life = {
  readonly name: string
  readonly host: Host
  readonly alive: boolean
  /** By the scheduler's waking time. */
  readonly stalledUntil: number
  /**
   * Pauses for so long, as a process that gets no processor: it loses nothing, and comes late with all it does.
   */
  stall(ms: number): void
  /** Unix milliseconds by its own clock. */
  now(): number
  monotonic(): number
  after(ms: number, run: () => void, label?: string): () => void
  turn(): Promise<void>
  delay(ms: number): Promise<void>
  /** A UUID out of the seed. */
  id(): string
  /** Called once, when it dies. */
  onDeath(listener: () => void): void
}

/** A machine on which a process starts, crashes and starts again; its clock stays. */
export type Host = {
  readonly name: string
  /** The process that runs now; undefined between a crash and the next start. */
  readonly life: Life | undefined
  start(): Life
  /** Loses all memory at once. */
  crash(): void
}

export type HostDeps = {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly trace: Trace
  readonly epochMs: number
  readonly skew: Skew
}

export function createHost(name: string, deps: HostDeps): Host {
  const { scheduler, random, trace, epochMs, skew } = deps
  let lives = 0
  let life: (Life & { alive: boolean; stalledUntil: number; readonly listeners: (() => void)[] }) | undefined
  const host: Host & { life: Life | undefined } = {
    name,
    life: undefined,
    start() {
      lives += 1
      const listeners: (() => void)[] = []
      const born = {
        ...createLife(`${name}#${String(lives)}`, {
          scheduler,
          random: random.fork(`life ${String(lives)}`),
          epochMs,
          skew,
        }),
        host,
        alive: true,
        stalledUntil: 0,
        listeners,
        onDeath: (listener: () => void) => {
          listeners.push(listener)
        },
        stall(ms: number) {
          born.stalledUntil = Math.max(born.stalledUntil, scheduler.awake() + ms)
          trace.line(scheduler.now(), `${born.name} stalls`)
        },
      }
      // Its timers belong to the very object that dies.
      const own = Object.assign(
        born,
        timersOf(born, { scheduler, skew, random: random.fork(`turns ${String(lives)}`) }),
      )
      life = own
      host.life = own
      trace.line(scheduler.now(), `${own.name} starts`)
      return own
    },
    crash() {
      const dying = life
      if (dying === undefined) return
      life = undefined
      host.life = undefined
      dying.alive = false
      trace.line(scheduler.now(), `${dying.name} crashes`)
      for (const listener of dying.listeners) listener()
    },
  }
  return host
}

type ClockDeps = Pick<HostDeps, 'scheduler' | 'random' | 'epochMs' | 'skew'>

function createLife(
  name: string,
  { scheduler, random, epochMs, skew }: ClockDeps,
): Pick<Life, 'name' | 'now' | 'monotonic' | 'id'> {
  return {
    name,
    // Whoever sleeps sets its clock when it wakes: no drift adds up over night.
    now: () => Math.floor(epochMs + skew.offsetMs + scheduler.now() + scheduler.awake() * (skew.rate - 1)),
    monotonic: () => scheduler.now() + scheduler.awake() * (skew.rate - 1),
    id() {
      const hex = random.hex(16)
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
    },
  }
}

function timersOf(
  owner: Owner & { readonly name: string },
  { scheduler, skew, random }: Pick<HostDeps, 'scheduler' | 'skew' | 'random'>,
): Pick<Life, 'after' | 'turn' | 'delay'> {
  const label = `${owner.name} timer`
  const turn = `${owner.name} turn`
  const after = (ms: number, run: () => void, what = label): (() => void) =>
    scheduler.after(ms / skew.rate, owner, what, run)
  return {
    after,
    turn: () =>
      new Promise((resolve) => {
        scheduler.after(random.next() * 0.2, owner, turn, resolve)
      }),
    delay: (ms) =>
      new Promise((resolve) => {
        after(ms, resolve)
      }),
  }
}
