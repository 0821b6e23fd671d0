import { localRoles } from '@ergon/contracts'
import {
  createService,
  Unavailable,
  type HttpAnswer,
  type HttpRequest,
  type IntentStore,
  type RegistrationStore,
  type RpcClient,
  type Service,
  type ServiceDeps,
} from '@ergon/facilitator/testing'
import { hexToBytes, lowerAddress } from '@ergon/protocols'
import type { Faults } from '../world/faults.ts'
import type { Host, Life } from '../world/host.ts'
import { LineFault } from '../world/network.ts'
import type { Random } from '../world/random.ts'
import type { Scheduler } from '../world/scheduler.ts'
import type { Trace } from '../world/trace.ts'
import type { AccountLock } from './account-lock.ts'
import { localnet } from './localnet.ts'
import type { AskChain } from './rpc-line.ts'
import { overLine } from './store-line.ts'
import { createStandingBook } from './standing-book.ts'

export type FacilitatorDeps = {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly faults: Faults
  readonly trace: Trace
  readonly storeShare: number
  readonly ask: AskChain
  readonly intents: IntentStore
  readonly registrations: RegistrationStore
  readonly lock: AccountLock
  /** What payments may cost; undefined: any gas. */
  readonly paymentGas: ServiceDeps['paymentGas']
  readonly hosts: readonly Host[]
  readonly crash: (host: Host, random: Random) => void
  readonly settleWaitMs: number
}

/** The settlement facilitator as its callers see it: one address, behind it whichever process serves. */
export type Facilitators = {
  readonly front: Pick<Host, 'life'>
  handle(life: Life, request: HttpRequest): Promise<HttpAnswer>
  /** Starts a process on this host; it serves once it holds the account. */
  boot(host: Host): void
}

/** Whichever process holds the account and serves. */
class Front implements Pick<Host, 'life'> {
  readonly #hosts: readonly Host[]
  readonly #serving: ReadonlyMap<string, Service>

  constructor(hosts: readonly Host[], serving: ReadonlyMap<string, Service>) {
    this.#hosts = hosts
    this.#serving = serving
  }

  get life(): Life | undefined {
    return this.#hosts.find(({ life }) => life !== undefined && this.#serving.has(life.name))?.life
  }
}

type Started = {
  readonly epoch: number
  readonly standing: ServiceDeps['standing']
  readonly note: (message: unknown, details: unknown) => void
}

/** The product's facilitator in this life: its stores and its chain are lines that can break. */
function serviceOf(deps: FacilitatorDeps, life: Life, started: Started): Promise<Service> {
  return createService({
    config: {
      orderDelegates: [lowerAddress(localRoles.service.address)],
      lifecycleMode: 'enforce',
      blacklist: [],
      rateLimit: undefined,
      settleWaitMs: deps.settleWaitMs,
      minesOnDemand: false,
    },
    secrets: { privateKey: hexToBytes(localRoles.facilitator.privateKey), adminToken: undefined },
    surroundings: {
      now: () => life.now(),
      monotonic: () => life.monotonic(),
      after: life.after,
      turn: life.turn,
      id: () => life.id(),
    },
    networks: [{ row: localnet, rpc: rpcClient(life, deps.ask) }],
    intents: overLine(deps.intents, 'intents', {
      life,
      random: deps.random,
      faults: deps.faults,
      share: deps.storeShare,
      crash: deps.crash,
      later: (ms, label, run) => {
        deps.scheduler.after(ms, null, label, run)
      },
      lost: () => new Unavailable('store_unavailable', 'the settlement store does not answer', { status: 503 }),
    }),
    registrations: deps.registrations,
    standing: started.standing,
    paymentGas: deps.paymentGas,
    lease: {
      epoch: started.epoch,
      lost: () => {
        deps.crash(life.host, deps.random)
      },
    },
    log: {
      warn: (details, message) => {
        started.note(message, details)
      },
      error: (details, message) => {
        started.note(message, details)
      },
    },
  })
}

export function createFacilitators(deps: FacilitatorDeps): Facilitators {
  const { scheduler, trace } = deps
  const serving = new Map<string, Service>()
  const standing = createStandingBook()

  const start = async (life: Life): Promise<void> => {
    const epoch = await deps.lock.take(life)
    const service = await serviceOf(deps, life, { epoch, standing, note: noteTrouble })
    serving.set(life.name, service)
    trace.line(scheduler.now(), `${life.name} serves`)
  }
  const noteTrouble = (message: unknown, details: unknown): void => {
    const error = (details as { err?: unknown } | null)?.err
    trace.line(
      scheduler.now(),
      `   facilitator: ${String(message)}${error instanceof Error ? `: ${error.message}` : ''}`,
    )
  }

  return {
    front: new Front(deps.hosts, serving),
    async handle(life, request) {
      const service = serving.get(life.name)
      if (service === undefined) throw new LineFault('refused', false)
      return service.handle(request)
    },
    boot(host) {
      const life = host.start()
      life.onDeath(() => {
        serving.delete(life.name)
      })
      start(life).catch((error: unknown) => {
        trace.line(
          scheduler.now(),
          `   ${life.name} cannot start: ${error instanceof Error ? error.message : String(error)}`,
        )
        // A supervisor starts it again.
        deps.crash(host, deps.random)
      })
    },
  }
}

const rpcTimeoutMs = 10_000

function rpcClient(life: Life, ask: AskChain): RpcClient {
  const batch: RpcClient['batch'] = async (requests) => {
    if (requests.length === 0) return []
    try {
      return [...(await ask(life, requests, rpcTimeoutMs))]
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      throw new Unavailable('rpc_unavailable', 'the chain node does not answer', { cause: error })
    }
  }
  return {
    batch,
    async call(method, params) {
      const [answer] = await batch([{ method, params }])
      if (answer === undefined || answer.error !== undefined)
        throw new Unavailable('rpc_unavailable', `the chain node refused ${method}`, { cause: answer?.error })
      return answer.result
    },
    [Symbol.dispose]() {},
  }
}
