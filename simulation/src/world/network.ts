import type { Fault, Faults, Menu } from './faults.ts'
import type { Host, Life } from './host.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'

/** No answer came. */
export class LineFault extends Error {
  /** False only when no byte of the request can have left. */
  readonly sent: boolean

  constructor(message: string, sent: boolean) {
    super(message)
    this.sent = sent
  }
}

const requestFaults = [
  'refused',
  'lost',
  'held',
  'cut',
  'cut after delivery',
  'answer lost',
  'answer cut',
  'answer held',
  'repeated',
  'receiver crashes',
  'receiver crashes before it answers',
  'sender crashes',
  'refused, and its sender stalls',
] as const
type RequestFault = (typeof requestFaults)[number]
/**
 * What a request that moves money should meet more often than its share: a copy beside another, and a sender that is
 * late.
 */
const aimedFaults = [
  'held',
  'held',
  'held',
  'answer lost',
  'answer held',
  'repeated',
  'sender crashes',
  'receiver crashes before it answers',
  'refused, and its sender stalls',
  'refused, and its sender stalls',
] as const

export type Exchange<A> = {
  readonly label: string
  /** Null: a client, which never dies. */
  readonly from: Life | null
  /** Whichever process answers there when the request arrives. */
  readonly to: Pick<Host, 'life'>
  readonly timeoutMs: number
  /** A signed request is taken once: a copy of it that comes later is turned away at the door. */
  readonly isOnce?: boolean
  /** The step of a payment that it asks for: faults may be aimed at it by this name. */
  readonly money?: string
  /** Runs in the process that the request reaches. */
  readonly handle: (life: Life) => Promise<A>
}

/** Which request for a step of a payment meets a fault for sure, the first of its name being zero. */
export type Aim = {
  readonly money: string
  readonly nth: number
  /** Undefined: any of those that are aimed. */
  readonly kind?: (typeof aimedFaults)[number]
}

/** Lines between processes. What travels may be lost, held, cut, repeated; whoever it meets may die of it. */
export type Lines = {
  /** @throws LineFault */
  exchange<A>(exchange: Exchange<A>): Promise<A>
  /** From now on one such request meets a fault for sure. */
  aim(aim: Aim): void
}

export type LinesDeps = {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly faults: Faults
  /** How often a request meets a fault. */
  readonly share: number
  readonly aim: Aim | undefined
  /** What a crashed process needs to come back. */
  readonly crash: (host: Host, random: Random) => void
}

type Trip<A> = {
  readonly exchange: Exchange<A>
  readonly fault: Fault<RequestFault> | undefined
  readonly resolve: (answer: A) => void
  readonly reject: (error: unknown) => void
}

export function createLines(deps: LinesDeps): Lines {
  const { faults, share } = deps
  const menu: Menu<RequestFault> = { share, kinds: requestFaults }
  let aim = deps.aim
  let left = aim?.nth ?? 0
  const isAimedAt = (money: string | undefined): boolean => {
    if (money === undefined || money !== aim?.money) return false
    left -= 1
    return left === -1
  }
  return {
    aim(next) {
      aim = next
      left = next.nth
    },
    exchange<A>(exchange: Exchange<A>): Promise<A> {
      return new Promise<A>((resolve, reject) => {
        const fault = isAimedAt(exchange.money)
          ? faults.aimed(exchange.label, aim?.kind ?? deps.random.pick(aimedFaults))
          : faults.at(exchange.label, menu)
        const { from, timeoutMs, label } = exchange
        const timeout = (): void => {
          // What was refused never left, also where its sender learns that late.
          reject(new LineFault('no answer in time', fault?.kind.startsWith('refused') !== true))
        }
        const untime =
          from === null
            ? deps.scheduler.after(timeoutMs, null, `${label} times out`, timeout)
            : from.after(timeoutMs, timeout)
        depart(deps, {
          exchange,
          fault,
          resolve: (answer) => {
            untime()
            resolve(answer)
          },
          // What a handler threw goes to the caller as it is.
          reject: (error) => {
            untime()
            reject(error instanceof Error ? error : new Error(String(error)))
          },
        })
      })
    },
  }
}

/** Most of what travels arrives within milliseconds. */
function latency(random: Random): number {
  return random.chance(0.95) ? random.between(0.2, 3) : random.between(3, 120)
}

/** As long as a bad line may hold a message: mostly beyond what anybody waits, and often not yet past its deadline. */
function hold(random: Random): number {
  if (random.chance(0.4)) return random.between(500, 15_000)
  return random.chance(0.6) ? random.between(10_000, 29_000) : random.between(15_000, 150_000)
}

function fail<A>(deps: LinesDeps, trip: Trip<A>, inMs: number, message: string, sent: boolean): void {
  deps.scheduler.after(inMs, trip.exchange.from, `${trip.exchange.label} ${message}`, () => {
    trip.reject(new LineFault(message, sent))
  })
}

function depart<A>(deps: LinesDeps, trip: Trip<A>): void {
  const { fault, exchange } = trip
  const { random } = deps
  switch (fault?.kind) {
    case 'refused, and its sender stalls':
      // Longer than its claims are leased for, so that others take them up.
      exchange.from?.stall(fault.random.between(8_500, 30_000))
      fail(deps, trip, latency(random), 'refused', false)
      return
    case 'refused':
      fail(deps, trip, latency(random), 'refused', false)
      return
    case 'lost':
      return
    case 'held':
      arrive(deps, trip, hold(fault.random))
      return
    case 'cut':
      fail(deps, trip, latency(random), 'cut', true)
      return
    case 'cut after delivery':
      fail(deps, trip, latency(random), 'cut', true)
      arrive(deps, trip, latency(random))
      return
    case 'sender crashes':
      arrive(deps, trip, latency(random))
      if (exchange.from !== null) deps.crash(exchange.from.host, fault.random)
      return
    default:
      arrive(deps, trip, latency(random))
  }
}

function arrive<A>(deps: LinesDeps, trip: Trip<A>, inMs: number, isAgain = false): void {
  const { exchange, fault } = trip
  deps.scheduler.after(inMs, null, exchange.label, () => {
    const life = exchange.to.life
    if (life === undefined || fault?.kind === 'receiver crashes') {
      if (life !== undefined && fault !== undefined) deps.crash(life.host, fault.random)
      // A machine without its process refuses the connection; what a line has held before was connected.
      const isRefused = life === undefined && fault?.kind !== 'held' && !isAgain
      fail(deps, trip, latency(deps.random), isRefused ? 'refused' : 'cut', !isRefused)
      return
    }
    const stalls = life.stalledUntil - deps.scheduler.awake()
    if (stalls > 0) {
      arrive(deps, trip, stalls, isAgain)
      return
    }
    if (fault?.kind === 'repeated' && !isAgain && exchange.isOnce !== true) arrive(deps, trip, hold(fault.random), true)
    let answered = false
    life.onDeath(() => {
      if (!answered) fail(deps, trip, latency(deps.random), 'cut', true)
    })
    const settle = (end: () => void): void => {
      answered = true
      giveAnswer(deps, trip, life, end)
    }
    exchange.handle(life).then(
      (answer) => {
        settle(() => {
          trip.resolve(answer)
        })
      },
      (error: unknown) => {
        settle(() => {
          trip.reject(error)
        })
      },
    )
  })
}

function giveAnswer<A>(deps: LinesDeps, { exchange, fault, reject }: Trip<A>, life: Life, end: () => void): void {
  const { scheduler, random } = deps
  const back = (ms: number, run: () => void): void => {
    scheduler.after(ms, exchange.from, `${exchange.label} answered`, run)
  }
  switch (fault?.kind) {
    case 'answer lost':
      return
    case 'answer cut':
      back(latency(random), () => {
        reject(new LineFault('cut', true))
      })
      return
    case 'answer held':
      back(hold(fault.random), end)
      return
    case 'receiver crashes before it answers':
      deps.crash(life.host, fault.random)
      back(latency(random), () => {
        reject(new LineFault('cut', true))
      })
      return
    default:
      back(latency(random), end)
  }
}
