import { createBuckets, createHttpCounts, type AnswerWatch } from '@ergon/process'
import { addressOf } from '@ergon/protocols'
import type { TrackerPace } from './chain/watch.ts'
import type { Lease } from './chain/write-intents.ts'
import type { Config, RateLimit } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { createBlockCheck, type Context } from './http/context.ts'
import type { GasBook } from './gas/gas-book.ts'
import { createGasBudget, type GasLimits } from './gas/gas-budget.ts'
import { createPaymentGas, type PaymentGas } from './gas/payment-gas.ts'
import { StartupError } from './errors.ts'
import { createHandle, type Handle } from './http/handle.ts'
import { createTelling, type Telling } from './http/telling.ts'
import { createRegistrar } from './identity/register.ts'
import type { Log } from './log.ts'
import { connectNetwork, type ConnectDeps, type ConnectedNetwork } from './network/connect.ts'
import { connectAll, connectLater } from './network/connect-all.ts'
import { createNetworks, type Networks, type SilentNetwork } from './network/served-network.ts'
import { createElapsed } from './settle/elapsed.ts'
import type { DatabasePlace } from './store/database-place.ts'
import type { IntentStore } from './store/intents.ts'
import type { RegistrationStore } from './store/registrations.ts'
import type { SolanaNetwork } from './solana/network.ts'
import type { StandingBook } from './store/standing-book.ts'
import { forgetInSteps } from './surroundings/forget-in-steps.ts'
import { seconds, type Surroundings } from './surroundings/surroundings.ts'

export type ServiceConfig = Pick<
  Config,
  'orderDelegates' | 'lifecycleMode' | 'blacklist' | 'rateLimit' | 'settleWaitMs' | 'minesOnDemand'
> &
  Partial<Pick<Config, 'shedAboveMs' | 'gasTerms' | 'smallestMillionths' | 'walletFactories'>>

type GasRules = { readonly limits: GasLimits; readonly book: GasBook }

/** Everything the service depends on. It reaches for nothing else: no clock, timer, socket or file. */
export type ServiceDeps = {
  readonly config: ServiceConfig
  readonly secrets: Secrets
  readonly surroundings: Surroundings
  readonly networks: readonly SilentNetwork[]
  readonly intents: IntentStore
  readonly registrations: RegistrationStore
  readonly lease: Lease
  /** What other keys of this deployment sent from; left out where there were none. */
  readonly formerAccounts?: readonly string[]
  /** Left out where the store forgets nothing. */
  readonly place?: DatabasePlace | undefined
  /** Left out where the store is no database. */
  readonly database?: Pick<AnswerWatch, 'silentMs'> & { refusedMs(): number }
  /** Counts releases under standing orders; left out, they are refused. */
  readonly standing?: StandingBook | undefined
  /** Undefined: identities and ratings, or payments, may cost any gas. */
  readonly gas?: GasRules | undefined
  readonly paymentGas?: GasRules | undefined
  /** Where payments on Solana are settled; left out, none is. */
  readonly solana?: SolanaNetwork | undefined
  readonly log: Log
  readonly pace?: TrackerPace
  /** How late the event loop is; left out where nothing measures it. */
  readonly loop?: Context['loop']
}

/** A settlement facilitator without a carrier: requests come in through `handle`. */
export type Service = AsyncDisposable & {
  readonly handle: Handle
  /** What it knows of itself, as figures. */
  readonly telling: Telling
}

/** Checks the deployments and takes up what an earlier process left. Throws `StartupError` naming what is missing. */
export async function createService(deps: ServiceDeps): Promise<Service> {
  const { config, secrets, surroundings, intents, lease, log } = deps
  const account = addressOf(secrets.privateKey)
  const onTrouble = (message: string, error: unknown): void => {
    log.warn({ err: error }, message)
  }
  await using resources = new AsyncDisposableStack()
  const paymentGas = paymentGasOf(deps)
  const { networks, whenOneAnswers } = await openNetworks(deps, { paymentGas, onTrouble }, resources)
  const { settleWaitMs } = config
  const gas = deps.gas === undefined ? undefined : createGasBudget(deps.gas.limits, deps.gas.book)
  const registrar = createRegistrar({
    gas,
    networks,
    account,
    store: deps.registrations,
    intents,
    lease,
    surroundings,
    settleWaitMs,
    log,
    onTrouble,
  })
  await registrar.resume()
  resources.defer(() => {
    registrar.stop()
  })
  whenOneAnswers(() => registrar.resume())
  resources.defer(forgetInSteps(surroundings, (limit) => intents.purge(limit)))
  const { standing } = deps
  if (standing !== undefined) resources.defer(forgetInSteps(surroundings, (limit) => standing.purge(limit)))
  const elapsed = createElapsed()
  const context: Context = {
    ...{ networks, account, intents },
    formerAccounts: deps.formerAccounts ?? [],
    registrar,
    lifecycle: {
      mode: config.lifecycleMode,
      delegates: config.orderDelegates,
      elapsed: (hash) => elapsed.of(hash),
      wentBackAt: () => deps.place?.wentBackAt(),
      onUnorderly: (category) => {
        log.warn({ category }, 'a lifecycle step without a valid order was let through')
      },
    },
    elapsed,
    standing,
    solana: deps.solana,
    blacklist: config.blacklist,
    adminToken: secrets.adminToken,
    settleWaitMs,
    database: deps.database ?? { silentMs: () => 0, refusedMs: () => 0 },
    loop: deps.loop ?? { delayMs: () => 0, lastingMs: () => 0 },
    shedAboveMs: config.shedAboveMs ?? 0,
    limits: limitsOf(config.rateLimit, surroundings),
    gas,
    paymentGas,
    gasAlarmBelow: config.gasTerms?.alarmBelow ?? 0n,
    log,
    surroundings,
    now: () => seconds(surroundings),
  }
  const [counts, owned] = [createHttpCounts(), resources.move()]
  return {
    handle: createHandle(context, createBlockCheck(config.blacklist), counts),
    telling: createTelling(context, counts),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function paymentGasOf({ paymentGas }: ServiceDeps): PaymentGas | undefined {
  return paymentGas === undefined ? undefined : createPaymentGas(paymentGas.limits, paymentGas.book)
}

type Shared = Pick<ConnectDeps, 'paymentGas' | 'onTrouble'>

/** Connects what answers, and the rest later. @throws StartupError where nothing is left to serve */
async function openNetworks(
  deps: ServiceDeps,
  shared: Shared,
  resources: AsyncDisposableStack,
): Promise<{ readonly networks: Networks; readonly whenOneAnswers: (take: () => Promise<void>) => void }> {
  const connect = connecting(deps, shared)
  const { connected, silent } = await connectAll(deps.networks, connect, resources)
  const [first] = silent
  if (connected.length === 0 && deps.solana === undefined && first !== undefined)
    throw new StartupError(`the node of ${first.row.name} does not answer`)
  const networks = createNetworks(connected, silent)
  let takeUp = (): Promise<void> => Promise.resolve()
  const onConnected = (network: ConnectedNetwork): void => {
    networks.add(network)
    takeUp().catch((error: unknown) => {
      shared.onTrouble('what an earlier process left could not be taken up', error)
    })
  }
  resources.use(connectLater({ silent, connect, onConnected, surroundings: deps.surroundings, ...shared }))
  return {
    networks,
    whenOneAnswers: (take) => {
      takeUp = take
    },
  }
}

function connecting(
  { config, secrets, surroundings, intents, lease, pace }: ServiceDeps,
  shared: Shared,
): (network: SilentNetwork) => Promise<ConnectedNetwork> {
  return ({ row, rpc }) =>
    connectNetwork({
      row,
      rpc,
      store: intents,
      lease,
      privateKey: secrets.privateKey,
      minesOnDemand: config.minesOnDemand,
      gasTerms: config.gasTerms,
      smallestMillionths: config.smallestMillionths,
      walletFactories: config.walletFactories,
      surroundings,
      ...shared,
      ...(pace === undefined ? {} : { pace }),
    })
}

/** Payments and what is read of a chain have as much room each, and take none of one another's. */
function limitsOf(rates: ServiceConfig['rateLimit'], surroundings: Surroundings): Context['limits'] {
  const limiter = (limit: RateLimit | undefined) =>
    limit === undefined ? undefined : createBuckets(limit, () => surroundings.monotonic())
  return { payments: limiter(rates?.payments), identity: limiter(rates?.identity), reads: limiter(rates?.payments) }
}
