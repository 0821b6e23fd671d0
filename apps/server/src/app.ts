import type { Ids, Market, Store } from '@ergon/core'
import { loadFastKeccak, secp256k1Backend } from '@ergon/protocols'
import type { Pool } from 'pg'
import { createAdapters, type Adapters } from './adapters/index.ts'
import {
  bookedTransactions,
  createPostgresStore,
  databaseAnswers,
  isBehindPlace,
  createHandedInFiles,
  type DatabaseWatch,
  outsideKeyedCalls,
  unnameLostSweeps,
} from './adapters/postgres/index.ts'
import { composeMarket, servedBy, type Alarms, type MeteredNetwork } from './compose-market.ts'
import { ConfigError } from './config/config-error.ts'
import { cannotListen, openLog, watchEventLoop, type ProcessLog } from '@ergon/process'
import type { Config } from './config/config.ts'
import { realNetworkOf } from './config/production.ts'
import { createFundingKeys } from './api/funding-keys.ts'
import type { Secrets } from './config/secrets.ts'
import type { BearerGrants } from './dispatch/bearer-grants.ts'
import { replacedSettings, runDefaults } from './config/run-defaults.ts'
import type { EventRelay } from './events/event-relay.ts'
import { createEventTaps, type EventTaps } from './events/event-taps.ts'
import { startLiveSettings, type LiveSettings } from './live/live-settings.ts'
import { createPush } from './push.ts'
import { openMail } from './mail.ts'
import { openWebPush } from './web-push.ts'
import { openMetrics } from './open-metrics.ts'
import { createClockGuard, createLastReach, createReach, createReadiness } from './reach.ts'
import { createRequestCounts } from './request-counts.ts'
import { startSettingsProof } from './settings-proof.ts'
import type { LateDeps } from './late-deps.ts'
import { createService, version, type ServiceDeps } from './service.ts'
import { createAgentKeyExchange } from './sessions/agent-keys.ts'
import { createPeopleAccess } from './people-access.ts'
import { keyFor } from './surroundings/key-for.ts'
import { createIds } from './surroundings/ids.ts'
import { startDuties } from './workers/duties.ts'
import { openBooks, type Books } from './open-books.ts'
import { openDatabase, sayEpoch } from './open-database.ts'
import { sharedFactsOf } from './shared-facts.ts'
import { openRelay } from './open-relay.ts'
import { requireKnownAgents, requireOpenMoney } from './require-open-money.ts'
import { retentions } from './retentions.ts'
import { takeBackOrders } from './take-back-orders.ts'
import { openWebApp } from './open-web-app.ts'
import { meteredNetwork, wireChannels } from './wire-channels.ts'
import { wireSplits } from './wire-splits.ts'
import { contractWallets } from './wire-contracts.ts'
import { wireGeocoder } from './wire-geocoder.ts'
import { wireLinkedSigner } from './wire-linked-signer.ts'
import { openOAuth, spenderOf } from './wire-oauth.ts'
import { wireWebhooks } from './wire-webhooks.ts'
import { prepareNotices } from './wire-notices.ts'
import { createPortfolioLinks } from './portfolio-links.ts'
import { evidenceBucket } from './evidence-bucket.ts'
import { createEvidenceWatch, type EvidenceWatch } from './evidence-watch.ts'

/** A running marketplace. Disposing of it lets requests and duties in flight end first. */
export type App = AsyncDisposable & {
  readonly market: Market
  /** Accepts requests and begins the background duties; answers the address it listens on. */
  listen(): Promise<string>
}

/** What a test may put in the place of the real thing. */
export type Overrides = {
  readonly now?: () => Date
  /** Leaves the background to the test. */
  readonly withoutDuties?: true
  /** Takes the settings as they are: other servers, nodes and the facilitator are not asked whether they agree. */
  readonly unproven?: true
  /** The database may flush nothing, whatever network is served: it ends with the test. */
  readonly forgets?: true
  /** What delegated tokens carry, where a test has no authorization server. */
  readonly grants?: BearerGrants
  /** Metered channels of a ledger that the test keeps. */
  readonly channels?: MeteredNetwork
}

/** The composition root: every part of the service, in order, by hand. */
export async function createApp(config: Config, secrets: Secrets, overrides: Overrides = {}): Promise<App> {
  await using parts = new AsyncDisposableStack()
  const log = parts.use(openLog('server', { level: config.logLevel, inBatches: true }))
  await loadFastKeccak()
  warnAtStart(log, secrets)
  const facts = overrides.unproven === true ? {} : sharedFactsOf(config, secrets)
  const realNetwork = overrides.forgets === true ? undefined : realNetworkOf(config)
  const { pool, database, epoch, membership } = await openDatabase(config, { facts, realNetwork }, log, parts)
  await requireKnownAgents(pool, config)
  const unserved = overrides.channels === undefined ? await requireOpenMoney(pool, config, secrets, log) : []
  // Whatever servers compare with one another is written by one clock (decision 0117).
  const now = overrides.now ?? database.now
  const base: Base = { config, secrets, log, now, parts, pool, unserved }
  const loop = parts.use(watchEventLoop())
  const books = openBooks({ ...base, epoch })
  const adapters = openAdapters(base, books.uploads, database.now)
  const metered = wireChannels(config, secrets, { log, pool })
  const provers = overrides.unproven === true ? [] : metered === null ? [adapters] : [adapters, metered]
  const proof = parts.use(await startSettingsProof(provers, log))
  const alarms: Alarms = { settlements: silent, verifications: silent, events: silent }
  const [ids, store] = [createIds(now), openStore(base, alarms)]
  const live = parts.use(await openLiveSettings(base, store))
  const [channels, splits] = [overrides.channels ?? meteredNetwork(metered), wireSplits(config, metered, base)]
  const networks = servedBy(config, channels).map(({ name }) => name)
  const market = composeMarket({ config, store, adapters, books, live, ids, now, alarms, channels, splits })
  const { relay, meters } = await openRelay({ config, log, parts, market, alarms })
  const taps = parts.use(createEventTaps({ relay, isBehind: isBehindPlace }))
  const outlets = await openOutlets(base, { market, store, relay, ids, alarms })
  const [reach, counts] = [createReach(adapters), createRequestCounts()]
  const watched = { database, epoch, relay, reached: createLastReach(reach), proof, membership, networks }
  const evidence = watchEvidence(base, adapters)
  const readiness = createReadiness({ ...watched, storageTakes: adapters.storageTakes, evidence, mail: outlets.mail })
  const service = createService({
    ...(await serviceParts(base, { adapters, books, market, relay, taps, outlets })),
    grants: overrides.grants ?? null,
    channels: channels?.channels.facts ?? null,
    ...{ meters, bountyNetwork: splits === null ? null : (channels?.network ?? null) },
    ...{ live, reach, readiness },
    clockAheadMs: () => database.seen().clockAheadMs,
    ...{ loop, counts },
  })

  const owned = parts.move()
  return {
    market,
    async listen() {
      const duties =
        overrides.withoutDuties === true
          ? undefined
          : beginDuties(base, { market, store, books, adapters, outlets, database, networks })
      if (duties !== undefined) owned.use(duties)
      if (outlets.beginNotices !== null) owned.use(outlets.beginNotices())
      alarms.settlements = () => {
        outsideKeyedCalls(() => {
          duties?.wake()
        })
      }
      if (duties !== undefined) for (const one of [outlets.hooks, outlets.push]) one.workedBy(duties)
      alarms.verifications = () => {
        outsideKeyedCalls(() => {
          duties?.wakeVerification()
        })
      }
      await openMetrics({ ...base, ...watched, books, market, loop, counts, readiness, version }, owned)
      const address = await listenAt(service, config)
      owned.defer(() => service.close()) // first to go: nothing new comes in while the rest ends
      return address
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function warnAtStart(log: ProcessLog, { warnings = [] }: Secrets): void {
  if (secp256k1Backend() === 'javascript')
    log.warn('the native secp256k1 is missing; signatures are checked about 35 times slower')
  for (const sentence of warnings) log.warn(sentence)
}

/** Looks at once, also where nobody asks for readiness. */
function watchEvidence({ pool, log }: Base, { holdsEvidence: holds }: Adapters): EvidenceWatch {
  const watch = createEvidenceWatch({ handedIn: createHandedInFiles(pool), holds, log })
  watch.isMissing()
  return watch
}

async function listenAt(
  service: { listen(at: { host: string; port: number }): Promise<string> },
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  try {
    return await service.listen({ host, port })
  } catch (cause) {
    throw new ConfigError(cannotListen({ host, port }, cause), { cause })
  }
}

/** What every part is made of. */
type Base = {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: ProcessLog
  readonly now: () => Date
  readonly parts: AsyncDisposableStack
  readonly pool: Pool
  /** Networks that are not served and on which something is open. */
  readonly unserved: readonly string[]
}

const silent = (): void => undefined

async function openLiveSettings({ config, log }: Base, store: Store): Promise<LiveSettings> {
  const defaults = runDefaults(config)
  const live = await startLiveSettings({
    store,
    defaults,
    onError: (error) => {
      log.warn({ err: error }, 'bans and settings are as they were: they could not be read')
    },
  })
  for (const { setting, key } of replacedSettings(defaults, live.config()))
    log.warn({ setting, key }, `${setting} is not in force: the admin key has changed ${key}, and null there ends that`)
  return live
}

function openStore({ pool, config, log }: Base, alarms: Alarms): Store {
  return createPostgresStore(pool, {
    identityNetwork: config.identityNetwork,
    onCommitted: () => {
      alarms.events()
    },
    onEpoch: (reason) => {
      sayEpoch(log, reason)
    },
  })
}

function openAdapters({ config, secrets, log, parts, pool }: Base, meter: Books['uploads'], now: () => Date): Adapters {
  return parts.use(
    createAdapters({
      meter,
      now,
      facilitatorUrl: config.facilitatorUrl,
      networks: config.networks,
      orderSignerKey: secrets.orderSignerKey,
      dataDir: config.dataDir,
      evidenceBucket: evidenceBucket(config, secrets),
      inspection: config.inspection,
      review: config.review === null ? null : { ...config.review, key: secrets.reviewKey },
      secret: secrets.secret,
      baseUrl: config.baseUrl,
      booked: (network, key) => bookedTransactions(pool, network, key),
      log,
    }),
  )
}

type Sources = {
  readonly market: Market
  readonly store: Store
  readonly relay: EventRelay
  readonly ids: Ids
  readonly alarms: Alarms
}
type Outlets = Awaited<ReturnType<typeof openOutlets>>

/** The ways by which events leave: webhooks, notices to workers, push notifications. */
async function openOutlets(base: Base, { market, store, relay, ids, alarms }: Sources) {
  const { config, secrets, log, now, parts, pool } = base
  const hooks = parts.use(
    wireWebhooks({
      pool,
      secret: secrets.secret,
      near: config.webhooksAllowLoopback ? 'loopback' : 'none',
      version,
      now,
      onCommitted: alarms.events,
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
  const [push, browsers] = [openPush(base, market, relay), openWebPush(base, market, relay)]
  return { hooks, beginNotices, push, browsers, mail: openMail(base, market, relay) }
}

function openPush({ config, secrets, log, parts, pool }: Base, market: Market, relay: EventRelay) {
  return parts.use(
    createPush({
      pool,
      market,
      relay,
      key: keyFor(secrets.secret, 'push token'),
      near: config.webhooksAllowLoopback ? 'loopback' : 'none',
      onError: (error) => {
        log.error({ err: error }, 'push notifications could not be told of events')
      },
      onFault: (error) => {
        log.error({ err: error }, 'an update could not be posted to an agent')
      },
    }),
  )
}

type Served = {
  readonly adapters: Adapters
  readonly books: Books
  readonly market: Market
  readonly relay: EventRelay
  readonly taps: EventTaps
  readonly outlets: Outlets
}

/** What the budgets of this deployment count today. */
function today({ registrations, payments }: Books): Pick<ServiceDeps, 'registrationsToday' | 'paymentsToday'> {
  return { registrationsToday: () => registrations.today(), paymentsToday: () => payments.today() }
}

async function serviceParts(
  { config, secrets, log, now, parts, pool }: Base,
  { adapters, books, market, relay, taps, outlets }: Served,
): Promise<Omit<ServiceDeps, keyof LateDeps>> {
  const { nonces, sessions, keys, accounts, approvals, warrants, links } = books
  const { networks } = adapters
  const contracts = contractWallets(adapters)
  return {
    exchangeAgentKey: createAgentKeyExchange({
      keys: secrets.agentKeys,
      signingKey: keyFor(secrets.secret, 'dashboard token'),
      baseUrl: config.baseUrl,
      now,
    }),
    capturableOf: async (payment) => (await adapters.rails(payment.network).escrowState(payment)).capturable,
    fundingKeys: createFundingKeys(secrets.secret),
    balanceOf: (wallet, asset) => adapters.rails(asset.network).balance(wallet, asset),
    config,
    adminKey: secrets.adminKey,
    market,
    nonces,
    keys,
    accounts,
    approvals,
    isProven: books.isProven,
    findWarrant: (key) => warrants.find(key),
    spender: spenderOf(secrets.secret),
    contracts,
    linked: wireLinkedSigner({ config, key: secrets.linkedSignerKey, book: links, contracts, parts, now }),
    people: (lanes) => createPeopleAccess({ config, secret: secrets.secret, sessions, nonces, ...lanes, now }),
    evidence: adapters.evidenceFiles,
    portfolioLinks: createPortfolioLinks(secrets.secret),
    taps,
    onEvent: (listener) => relay.subscribe(listener),
    push: outlets.push,
    toolFixtures: config.mcpConformance
      ? (await import('./transports/mcp/conformance/fixtures.ts')).createFixtures()
      : undefined,
    ...{ webhooks: outlets.hooks.webhooks, webhookKey: outlets.hooks.publicKey },
    browserPush: outlets.browsers,
    mail: outlets.mail,
    places: wireGeocoder({ config, secrets, log, parts, now, version }),
    databaseAnswers: () => databaseAnswers(pool),
    ...today(books),
    oauth: openOAuth({
      ...{ config, secret: secrets.secret, store: books.oauth, warrants, now, parts, networks, log },
      contracts: adapters.contracts,
    }),
    web: await openWebApp(config, version, parts),
    log,
    now,
  }
}

type DutyParts = Pick<Served, 'market' | 'books' | 'outlets' | 'adapters'> &
  Pick<Sources, 'store'> & { readonly database: DatabaseWatch; readonly networks: readonly string[] }

function beginDuties(
  { config, log, now, pool, unserved }: Base,
  { market, store, books, adapters, outlets, database, networks }: DutyParts,
): ReturnType<typeof startDuties> {
  return startDuties({
    isPaused: createClockGuard(database, log),
    duties: market.duties,
    ...{ networks, unserved },
    webhooks: outlets.hooks.delivery,
    pushTasks: () => outlets.push.begin(),
    pushNotices: () => outlets.browsers.begin(),
    mailNotices: async () => (await outlets.mail?.begin()) ?? 0,
    settleApprovals: (limit) => books.approvals.settle(limit),
    unnameLostSweeps: (limit) => unnameLostSweeps(pool, limit),
    takeBackOrders: () => takeBackOrders({ warrants: books.warrants, takeBack: adapters.takeBack, log }),
    forget: retentions({ config, pool, books, store, deliveries: outlets.hooks.delivery, now }),
    onError: (duty, error) => {
      log.error({ err: error, duty }, 'a background duty failed')
    },
  })
}
