import { claimLeaseMs, createMarket, type Market, type MarketNetwork } from '@ergon/core'
import { hexToBytes, lowerAddress, loadFastKeccak, secp256k1Backend, type Network } from '@ergon/protocols'
import { budgetedIdentities } from './adapters/budgeted-identities.ts'
import { createAdapters, type Adapters, type AdapterSettings } from './adapters/index.ts'
import { boundedInspector, boundedReviewer } from './adapters/verification-bounds.ts'
import {
  createAccountProofs,
  createKeyStore,
  createNonceStore,
  createPaymentBudget,
  createPool,
  createPostgresStore,
  createRegistrationBudget,
  createSessionStore,
  createUploads,
  databaseAnswers,
  migrate,
  openWakeChannel,
  outsideKeyedCalls,
} from './adapters/postgres/index.ts'
import type { Reachable } from './api/deps.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import type { ContractWallets } from './dispatch/authenticate.ts'
import { boundsOf, runDefaults } from './config/run-defaults.ts'
import { startEventRelay } from './events/event-relay.ts'
import { startLiveSettings, type LiveSettings } from './live/live-settings.ts'
import { createLog, type Log } from './log.ts'
import { createPush } from './push.ts'
import { createService, version } from './service.ts'
import { createAgentKeyExchange } from './sessions/agent-keys.ts'
import { createPeopleAccess } from './people-access.ts'
import { keyFor } from './surroundings/key-for.ts'
import { createIds } from './surroundings/ids.ts'
import { watchEventLoop } from './surroundings/loop-watch.ts'
import { startDuties } from './workers/duties.ts'
import { openWebApp } from './open-web-app.ts'
import { wireWebhooks } from './wire-webhooks.ts'
import { prepareNotices } from './wire-notices.ts'

/** A running marketplace. Disposing of it lets requests and duties in flight end first. */
export type App = AsyncDisposable & {
  /** The public base URL. */
  readonly url: string
  readonly market: Market
  /** Accepts requests and begins the background duties; answers the address it listens on. */
  listen(): Promise<string>
}

/** What a test may put in the place of the real thing. */
export type Overrides = {
  readonly now?: () => Date
  /** Leaves the background to the test. */
  readonly withoutDuties?: true
}

/** The composition root: every part of the service, in order, by hand. */
export async function createApp(config: Config, secrets: Secrets, overrides: Overrides = {}): Promise<App> {
  const now = overrides.now ?? ((): Date => new Date())
  await using parts = new AsyncDisposableStack()
  const log = parts.use(createLog(config.logLevel))
  await loadFastKeccak()
  if (secp256k1Backend() === 'javascript')
    log.warn('the native secp256k1 is missing; signatures are checked about 35 times slower')

  const pool = createPool(config.databaseUrl, {
    size: config.poolSize,
    onError: (error) => {
      log.warn({ err: error }, 'a database connection ended')
    },
  })
  parts.defer(() => pool.end())
  await migrate(pool)
  const loop = parts.use(watchEventLoop())
  const keys = createKeyStore(pool, { leaseMs: claimLeaseMs, keepMs: config.idempotencyHours * 3_600_000 })
  const [nonces, sessions, accounts] = [createNonceStore(pool), createSessionStore(pool), createAccountProofs(pool)]
  const [registrations, payments, uploads] = [
    createRegistrationBudget(pool, config.registrations),
    createPaymentBudget(pool, config.payments),
    createUploads(pool, config.uploads),
  ]
  const adapters = parts.use(
    createAdapters({
      meter: uploads,
      facilitatorUrl: config.facilitatorUrl,
      networks: config.networks,
      orderSignerKey: secrets.orderSignerKey,
      dataDir: config.dataDir,
      evidenceBucket: evidenceBucket(config, secrets),
      inspection: config.inspection,
      review: config.review === null ? null : { ...config.review, key: secrets.reviewKey },
      secret: secrets.secret,
      baseUrl: config.baseUrl,
      log,
    }),
  )

  const ids = createIds(now)
  let wake = (): void => undefined
  let wakeVerification = (): void => undefined
  let tellOfEvents = (): void => undefined
  const reviewer = adapters.reviewer === null ? null : boundedReviewer(adapters.reviewer)
  const store = createPostgresStore(pool, {
    identityNetwork: config.identityNetwork,
    onCommitted: () => {
      tellOfEvents()
    },
  })
  const live = parts.use(
    await startLiveSettings({
      store,
      defaults: runDefaults(config),
      onError: (error) => {
        log.warn({ err: error }, 'bans and settings are as they were: they could not be read')
      },
    }),
  )
  const market = createMarket({
    store,
    networks: config.networks.map(({ network }) => marketNetwork(network)),
    rails: adapters.rails,
    signatures: adapters.signatures,
    identities: budgetedIdentities(adapters.identities, registrations),
    ratings: adapters.ratings,
    evidence: adapters.evidence,
    uploads,
    payments,
    clock: { now },
    ids,
    wakeup: {
      settlements: () => {
        wake()
      },
      verifications: () => {
        wakeVerification()
      },
    },
    verification: {
      inspector: boundedInspector(adapters.inspector),
      reviewer: () => (live.config()['review.enabled'] ? reviewer : null),
    },
    settings: marketSettings(config, live),
  })
  const relay = parts.use(
    await startEventRelay({
      market,
      onError: (error) => {
        log.error({ err: error }, 'the event stream could not be read')
      },
    }),
  )
  const channel = parts.use(
    openWakeChannel({
      databaseUrl: config.databaseUrl,
      onWoken: () => {
        relay.poke()
      },
      onError: (error) => {
        log.warn({ err: error }, 'the connection that tells of events ended')
      },
    }),
  )
  tellOfEvents = () => {
    relay.poke()
    channel.tell()
  }
  const hooks = parts.use(
    wireWebhooks({
      pool,
      secret: secrets.secret,
      allowLoopback: config.webhooksAllowLoopback,
      version,
      now,
      onCommitted: tellOfEvents,
      onError: (error) => {
        log.error({ err: error }, 'a webhook could not be delivered')
      },
    }),
  )
  relay.subscribe(() => {
    hooks.somethingHappened()
  })
  const beginNotices = await prepareNotices({
    config,
    secrets,
    store,
    relay,
    clock: { now },
    ids,
    onError: (duty, error) => {
      log.error({ err: error, duty }, 'workers could not be told')
    },
    onGivenUp: (notice, error) => {
      log.error({ err: error, notice }, 'a notice was given up')
    },
  })
  const reach = createReach(adapters)
  const exchangeAgentKey = createAgentKeyExchange({
    keys: secrets.agentKeys,
    signingKey: keyFor(secrets.secret, 'dashboard token'),
    baseUrl: config.baseUrl,
    now,
  })
  const push = parts.use(
    createPush({
      pool,
      market,
      relay,
      key: keyFor(secrets.secret, 'push token'),
      allowLoopback: config.webhooksAllowLoopback,
      onError: (error) => {
        log.error({ err: error }, 'push notifications could not be told of events')
      },
      onFault: (error) => {
        log.error({ err: error }, 'an update could not be posted to an agent')
      },
    }),
  )
  const service = createService({
    exchangeAgentKey,
    balanceOf: (wallet, asset) => adapters.rails(asset.network).balance(wallet, asset),
    config,
    adminKey: secrets.adminKey,
    market,
    nonces,
    keys,
    accounts,
    contracts: contractWallets(adapters),
    people: (lanes) => createPeopleAccess({ config, secret: secrets.secret, sessions, nonces, ...lanes, now }),
    evidence: adapters.evidenceFiles,
    reach,
    newsOfEvents: (ms) => relay.changed(ms),
    onEvent: (listener) => relay.subscribe(listener),
    push,
    toolFixtures: config.mcpConformance
      ? (await import('./transports/mcp/conformance/fixtures.ts')).createFixtures()
      : undefined,
    live,
    webhooks: hooks.webhooks,
    webhookKey: hooks.publicKey,
    databaseAnswers: () => databaseAnswers(pool),
    registrationsToday: () => registrations.today(),
    paymentsToday: () => payments.today(),
    web: await openWebApp(config, version),
    log,
    loop,
    now,
  })

  const owned = parts.move()
  return {
    url: config.baseUrl,
    market,
    async listen() {
      const duties =
        overrides.withoutDuties === true
          ? undefined
          : startDuties({
              duties: market.duties,
              webhooks: hooks.delivery,
              pushTasks: () => push.begin(),
              purgeKeys: () => keys.purge(),
              forgetEvents: () =>
                store.forgetEvents(new Date(now().getTime() - config.eventsKeptDays * 86_400_000), 1_000),
              purgeNonces: async () => {
                await Promise.all([sessions.purge(now()), registrations.purge(), accounts.purge()])
                return nonces.purge(now())
              },
              onError: (duty, error) => {
                log.error({ err: error, duty }, 'a background duty failed')
              },
            })
      if (duties !== undefined) owned.use(duties)
      if (beginNotices !== null) owned.use(beginNotices())
      wake = () => {
        outsideKeyedCalls(() => {
          duties?.wake()
        })
      }
      if (duties !== undefined) hooks.workedBy(duties)
      if (duties !== undefined) push.workedBy(duties)
      wakeVerification = () => {
        outsideKeyedCalls(() => {
          duties?.wakeVerification()
        })
      }
      const address = await service.listen({ host: config.host, port: config.port })
      owned.defer(() => service.close()) // first to go: nothing new comes in while the rest ends
      void warnOfSilence(reach, log)
      return address
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function evidenceBucket(
  { evidenceBucket: bucket }: Config,
  { s3SecretKey }: Secrets,
): NonNullable<AdapterSettings['evidenceBucket']> | null {
  return bucket === null || s3SecretKey === undefined ? null : { ...bucket, secretKey: s3SecretKey }
}

function marketSettings(
  config: Config,
  live: Pick<LiveSettings, 'config'>,
): Parameters<typeof createMarket>[0]['settings'] {
  return {
    paymentMode: config.paymentMode,
    preferredNetwork: config.networks[0].network.name,
    identityNetwork: config.identityNetwork,
    autoRegister: config.autoRegister,
    requireIdentity: config.requireIdentity,
    settleWaitMs: config.settleWaitMs,
    leaseMs: 3 * config.settleWaitMs,
    // Read at each use: the bounds may change while the service runs (decision 0058).
    get bounds() {
      return boundsOf(live.config())
    },
    feedbackBaseUrl: `${config.baseUrl}/api/v1/reputation/feedback`,
  }
}

function marketNetwork(network: Network): MarketNetwork {
  return {
    name: network.name,
    caip2: network.caip2,
    chainId: network.chainId ?? null,
    hasEscrow: network.escrow !== undefined,
    tokens: network.tokens,
    takesRatings: network.ratings === 'selectable' && network.erc8004 !== undefined,
  }
}

/** The verifier speaks hex; the adapter speaks bytes. */
function contractWallets(adapters: Adapters): ContractWallets {
  return {
    isValidSignature: ({ chainId, address, hash, signature }) =>
      // The verifier makes both from bytes, so they begin with 0x.
      adapters.contracts.isValidSignature({
        chainId,
        address: lowerAddress(address),
        hash: hexToBytes(hash as `0x${string}`),
        signature: hexToBytes(signature as `0x${string}`),
      }),
  }
}

const reachMs = 2_000

/** Health is asked often; what it stands on is asked at most every two seconds. */
function createReach(adapters: Adapters): () => Promise<Reachable> {
  let asked: { readonly at: number; readonly answer: Promise<Reachable> } | undefined
  return () => {
    if (asked === undefined || performance.now() - asked.at > reachMs) {
      asked = {
        at: performance.now(),
        answer: adapters.health().then(({ facilitator, chains }) => ({ facilitator, networks: chains })),
      }
    }
    return asked.answer
  }
}

async function warnOfSilence(reach: () => Promise<Reachable>, log: Log): Promise<void> {
  const reached = await reach().catch(() => ({ facilitator: false, networks: {} }))
  const silent = [
    ...(reached.facilitator ? [] : ['the facilitator']),
    ...Object.entries(reached.networks)
      .filter(([, isUp]) => !isUp)
      .map(([name]) => `the node of ${name}`),
  ]
  if (silent.length > 0) log.warn(`${silent.join(' and ')} cannot be reached; payments wait`)
}
