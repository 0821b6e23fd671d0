import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { operations } from '@ergon/contract'
import type { ChannelFacts, Market } from '@ergon/core'
import { signingPolicy, type Signer, type SigningPolicyRules } from '@ergon/protocols'
import type { FastifyInstance } from 'fastify'
import type { ApiDeps, Reachable } from './api/deps.ts'
import type { PeopleAccess } from './sessions/people-access.ts'
import { createWithinCap, type ApprovalCount } from './api/capped-approvals.ts'
import { createStandingRelease, type FindWarrant } from './api/standing-release.ts'
import type { PushDeps } from './api/a2a/push.ts'
import type { KeyStore } from './adapters/postgres/index.ts'
import { createHandlers } from './api/handlers.ts'
import { createPromising } from './api/tasks.ts'
import { createRecoveries } from './api/recover/recoveries.ts'
import { asActs } from './as-acts.ts'
import type { Config } from './config/config.ts'
import type { BearerGrants } from './dispatch/bearer-grants.ts'
import { createAccounts, type AccountBook, type Accounts } from './dispatch/accounts.ts'
import { createAdminDemand, createAdminKeyCheck } from './dispatch/admin-key.ts'
import { createAuthenticate, type ContractWallets, type NonceStore } from './dispatch/authenticate.ts'
import { createContractLanes, type MayAskContract } from './dispatch/contract-lanes.ts'
import { createDispatch } from './dispatch/dispatch.ts'
import type { AnyHandler } from './dispatch/handlers.ts'
import { createIdempotency, type Idempotency, type Recover } from './dispatch/idempotency.ts'
import { createKnownAgents } from './dispatch/known-agents.ts'
import { createLimits, refusalsOf, type Limits } from './dispatch/limits.ts'
import { createPlanner } from './dispatch/plan.ts'
import { createApprovalCheck } from './dispatch/release-approval.ts'
import type { EventRelay } from './events/event-relay.ts'
import { featuresOff, featuresOn } from './features-off.ts'
import type { LiveSettings } from './live/live-settings.ts'
import type { LoopWatch, ProcessLog } from '@ergon/process'
import { addFiles } from './add-files.ts'
import type { EvidenceFiles } from './transports/evidence-files.ts'
import { addOAuth } from './transports/oauth/oauth-routes.ts'
import { addPageFiles } from './transports/oauth/page-answer.ts'
import { createOAuthLimits } from './transports/oauth/oauth-limits.ts'
import type { Fixtures } from './transports/mcp/fixtures.ts'
import { addMailPages, type MailPages } from './transports/mail-pages.ts'
import { mcpPaths } from './transports/mcp/mcp-route.ts'
import { hasLeft } from './transports/broken-request.ts'
import { addProbes, type Probes } from './transports/probes.ts'
import { addSockets } from './transports/websocket/gateway.ts'
import { createSockets, socketLimits } from './sockets/sockets.ts'
import { createRest, type RequestLine } from './transports/rest.ts'
import { addRevalidation } from './transports/revalidation.ts'
import { cardOfTask } from './card-of-task.ts'
import type { PortfolioLinks } from './portfolio-links.ts'
import { createCardLimits, type SocialCards } from './transports/social-cards.ts'
import { createWebApp } from './transports/web-app.ts'
import type { ServedApp } from './open-web-app.ts'
import type { RequestCounts } from './request-counts.ts'
import { openAgentTransports } from './wire-agents.ts'
import type { WiredLinks } from './wire-linked-signer.ts'
import type { OAuthLanes, WiredOAuth } from './wire-oauth.ts'

export const version = '0.1.0'

export type ServiceDeps = {
  readonly config: Config
  readonly adminKey: string | undefined
  readonly market: Market
  readonly nonces: NonceStore
  readonly keys: KeyStore
  readonly accounts: AccountBook
  readonly contracts: ContractWallets
  /** What delegated tokens carry; null while the rail for them is off. */
  readonly grants: BearerGrants | null
  /** Counts what tokens release. */
  readonly approvals: ApprovalCount
  /** What wallets signed when they consented to tokens that release. */
  readonly findWarrant: FindWarrant
  readonly isProven: ApiDeps['isProven']
  readonly spender: Signer
  readonly exchangeAgentKey: ApiDeps['exchangeAgentKey']
  readonly bountyNetwork: ApiDeps['bountyNetwork']
  readonly balanceOf: ApiDeps['balanceOf']
  readonly capturableOf: ApiDeps['capturableOf']
  readonly fundingKeys: ApiDeps['fundingKeys']
  readonly people: (lanes: {
    readonly contracts: ContractWallets
    readonly mayAskContract: MayAskContract
  }) => PeopleAccess
  /** Null where evidence is kept elsewhere. */
  readonly evidence: EvidenceFiles | null
  readonly portfolioLinks: PortfolioLinks
  readonly reach: () => Promise<Reachable>
  readonly databaseAnswers: () => Promise<boolean>
  readonly readiness: Probes['readiness']
  /** Of this machine's clock before the database's; null until it is known. */
  readonly clockAheadMs: () => number | null
  readonly registrationsToday: () => Promise<number>
  readonly paymentsToday: () => Promise<number>
  readonly taps: ApiDeps['taps'] & AsyncDisposable
  /** Tells every event from now on, until it is disposed of. */
  readonly onEvent: EventRelay['subscribe']
  readonly push: Pick<PushDeps, 'configs' | 'faultOf'>
  /** What a conformance suite asks of a tool server beside the tools; undefined outside of tests. */
  readonly toolFixtures: Fixtures | undefined
  readonly live: LiveSettings
  readonly webhooks: ApiDeps['webhooks']
  readonly webhookKey: ApiDeps['webhookKey']
  readonly browserPush: ApiDeps['browserPush']
  /** Null where no mail is sent. */
  readonly mail: (MailPages['acts'] & NonNullable<ApiDeps['mail']>) | null
  /** Null where no addresses are looked up. */
  readonly places: ApiDeps['places']
  /** Null where tool hosts are not let in. */
  readonly oauth: ((lanes: OAuthLanes) => WiredOAuth) | null
  readonly linked: WiredLinks
  /** Null where no task is metered. */
  readonly channels: ChannelFacts | null
  readonly meters: ApiDeps['meters'] & AsyncDisposable
  /** Null where no app is served. */
  readonly web: ServedApp | null
  readonly counts: Pick<RequestCounts, 'note' | 'noteUncounted'>
  readonly log: Pick<ProcessLog, 'info' | 'error' | 'debug'>
  readonly loop: Pick<LoopWatch, 'delayMs' | 'lastingMs'>
  readonly now: () => Date
}

/** The HTTP face of a market: handlers, dispatch and transports, wired by hand. Listens when it is told to. */
export function createService(deps: ServiceDeps): FastifyInstance {
  const core = createCore(deps)
  const watch = createWatch(deps)
  // Asked when a request comes: routes are added below. The router takes a pattern, so signs of patterns stay out of
  // it.
  const isRouted = (path: string): boolean => /^[\w./-]+$/.test(path) && server.hasRoute({ method: 'GET', url: path })
  const server = createRest({
    operations,
    handlers: core.handlers,
    dispatch: core.dispatch,
    plan: core.plan,
    publicUrl: deps.config.baseUrl,
    version,
    authorities: deps.config.authorities,
    trustedProxies: deps.config.trustedProxies,
    ...(core.oauth === null && deps.grants === null ? {} : { tokenPaths: mcpPaths }),
    served: new Set(featuresOn(deps)),
    nextRequestId: () => randomUUID(),
    ...watch,
    ...(deps.web === null ? {} : { answerPage: createWebApp({ ...deps.web, isRouted, cards: cardsOf(deps) }) }),
  })
  addProbes(server, deps)
  addRevalidation(server)
  openSockets(server, deps, core)
  openAgentTransports(
    server,
    { ...deps, ...addresses(deps.config), version },
    { ...core, handlers: core.offered },
    watch,
  )
  openOAuth(server, deps, core, watch)
  if (deps.mail !== null) addMailPages(server, { ...deps, ...watch, acts: deps.mail })
  if (deps.mail !== null || core.oauth !== null) addPageFiles(server)
  addFiles(server, deps)
  // Who waits for what happens is told that this process ends: closing waits for every answer.
  server.addHook('preClose', async () => {
    await Promise.all([deps.taps[Symbol.asyncDispose](), deps.meters[Symbol.asyncDispose]()])
  })
  return server
}

function cardsOf({ market, config, live, now }: ServiceDeps): SocialCards {
  return {
    cardOf: (taskId) => cardOfTask(market, new URL(config.baseUrl).origin, taskId),
    limits: createCardLimits(() => live.rates.anonymousPerMinute > 0),
    now: () => now().getTime(),
  }
}

type Core = ReturnType<typeof createCore>

/** Who calls, what they may, and the handlers behind it: what every transport shares. */
function createCore(deps: ServiceDeps) {
  const { config } = deps
  const now = (): number => deps.now().getTime()
  const policy: SigningPolicyRules = {
    authorities: config.authorities,
    chains: config.networks.map((one) => one.chainId),
    maxValiditySec: 300,
    clockSkewSec: 30,
  }
  const limits = createLimits(deps.live.rates)
  const { contracts, mayAsk: mayAskContract } = createContractLanes(deps.contracts, limits, now)
  const people = deps.people({ contracts, mayAskContract })
  const accounts = createAccounts(deps.accounts)
  const offHere = new Set(featuresOff(deps).map(({ section }) => section))
  const oauth = deps.oauth?.({ contracts, mayAskContract, accounts }) ?? null
  const api = apiDeps(deps, { policy, people, limits, accounts, oauth })
  const handlers = createHandlers(api)
  const authenticate = createAuthenticate({ policy, nonces: deps.nonces, contracts, mayAskContract, accounts, now })
  const isAdminKey = createAdminKeyCheck(deps.adminKey)
  const dispatch = createDispatch({
    idempotency: keptAnswers(deps),
    authenticate,
    accounts,
    people: { read: (request) => people.sessions.read(request), allows: (origin) => people.origins.allows(origin) },
    agents: createKnownAgents(deps.market, config.requireIdentity),
    limits,
    isAdminKey,
    gate: {
      isBanned: (wallet) => deps.live.isBanned(wallet),
      isOff: (section) => deps.live.isOff(section) || offHere.has(section),
    },
    isOverloaded: () => config.shedAboveMs > 0 && deps.loop.lastingMs() > config.shedAboveMs,
    realm: new URL(config.baseUrl).host,
    now,
  })
  return {
    // Each handler takes the input its own schema admits and the caller its own access admits; dispatch sees to both.
    handlers: asActs(handlers as unknown as Readonly<Record<string, AnyHandler>>),
    /** What tools and messages reach: the same, and what they publish carries a policy. */
    offered: asActs({ ...handlers, ...createPromising(api) } as unknown as Readonly<Record<string, AnyHandler>>),
    dispatch,
    plan: createPlanner(),
    authenticate,
    limits,
    people,
    accounts,
    oauth,
    isAdminKey,
    now,
  }
}

function keptAnswers({ market, webhooks, webhookKey, keys, log }: ServiceDeps): Idempotency {
  // As with the handlers: each takes the input and the caller of its own operation.
  const recover = createRecoveries({
    market,
    webhooks,
    webhookKey,
  }) as unknown as Readonly<Record<string, Recover>>
  return createIdempotency({
    keys,
    recover,
    onForgotten: (error) => {
      log.error({ err: error }, 'an answer could not be kept with its key')
    },
  })
}

type Watch = ReturnType<typeof createWatch>

/** What the log and the figures learn of requests. */
function createWatch({ log, counts }: Pick<ServiceDeps, 'log' | 'counts'>) {
  const onLeft = (requestId: string): void => {
    log.debug({ id: requestId }, 'a caller left before its answer')
  }
  return {
    onLeft,
    onRequest(line: RequestLine): void {
      counts.note(line)
      log.info(line, 'request')
    },
    onFault(error: unknown, requestId: string): void {
      if (hasLeft(error)) onLeft(requestId)
      else log.error({ err: error, id: requestId }, 'a request failed unforeseen')
    },
  }
}

/** Tool hosts that cannot sign, with what the owner of a wallet allowed each. */
function openOAuth(
  server: FastifyInstance,
  { config, live, linked }: ServiceDeps,
  { oauth, now }: Core,
  { onRequest, onFault }: Watch,
): void {
  if (oauth === null) return
  addOAuth(server, {
    ...oauth,
    limits: createOAuthLimits(() => live.rates.anonymousPerMinute > 0),
    chains: config.networks.map(({ chainId, network }) => ({ chainId, title: network.title })),
    linked: linked.signs?.signIn ?? null,
    now,
    onRequest,
    onFault,
  })
}

function openSockets(server: FastifyInstance, deps: ServiceDeps, core: Core): void {
  const { config, market, log } = deps
  const { authenticate, limits, people, accounts, isAdminKey, now } = core
  const sockets = createSockets({
    market,
    authenticate,
    refused: limits.refused,
    now,
    isBanned: (wallet) => deps.live.isBanned(wallet),
    limits: { ...socketLimits, connections: config.sockets },
    onFault: (error) => {
      if (!hasLeft(error)) log.error({ err: error }, 'a socket failed unforeseen')
    },
  })
  const told = deps.onEvent((event) => {
    sockets.publish(event)
  })
  server.addHook('onClose', (_closed, done) => {
    told[Symbol.dispose]()
    done()
  })
  addSockets(server, {
    sockets,
    authorities: config.authorities,
    people,
    accounts,
    demandAdmin: createAdminDemand({ isAdminKey, limits, now }),
  })
}

type ApiParts = {
  readonly policy: SigningPolicyRules
  readonly people: PeopleAccess
  readonly limits: Limits
  readonly accounts: Accounts
  readonly oauth: WiredOAuth | null
}

/** What handlers stand on: the market, and what this deployment says about itself. */
function apiDeps(deps: ServiceDeps, { policy, people, limits, accounts, oauth }: ApiParts): ApiDeps {
  const { config, market } = deps
  const now = (): number => deps.now().getTime()
  return {
    market,
    networks: config.networks.map((one) => one.network),
    bountyNetwork: deps.bountyNetwork,
    identityNetwork: config.identityNetwork,
    platformAgentId: config.platformAgentId,
    requireIdentity: config.requireIdentity,
    autoRegister: config.autoRegister,
    paymentMode: config.paymentMode,
    ...addresses(config),
    version,
    signingPolicy: () =>
      signingPolicy(policy, {
        nonceEndpoint: `${config.baseUrl}/api/v1/auth/nonce`,
        documentation: `${config.baseUrl}/openapi.json`,
      }),
    freshNonce: () => randomUUID().replaceAll('-', ''),
    oauth: config.oauth,
    ownGrants: oauth?.own ?? null,
    linked: { isOn: deps.linked.signs !== null, ...deps.linked.links },
    channels: deps.channels,
    ...{ gateway: config.gateway, streams: config.streams },
    meters: deps.meters,
    meterSeats: config.meterSeats,
    isProven: deps.isProven,
    checkApproval: createApprovalCheck({ market, nonces: deps.nonces, contracts: deps.contracts, now }),
    standingRelease: createStandingRelease({ market, findWarrant: deps.findWarrant, spender: deps.spender }),
    withinCap: createWithinCap({
      market,
      approvals: deps.approvals,
      newId: () => randomUUID(),
      onUnavailable(err, { submissionId, grantId }) {
        const line = { err, code: 'approval_budget_unavailable', submission_id: submissionId, grant_id: grantId }
        deps.log.error(line, 'the approvals of tokens cannot be counted')
        deps.counts.noteUncounted()
      },
    }),
    people,
    nonces: deps.nonces,
    accounts,
    exchangeAgentKey: deps.exchangeAgentKey,
    portfolioLinks: deps.portfolioLinks,
    balanceOf: deps.balanceOf,
    ...{ capturableOf: deps.capturableOf, fundingKeys: deps.fundingKeys },
    reach: deps.reach,
    keys: deps.keys,
    databaseAnswers: deps.databaseAnswers,
    registrations: { limit: config.registrations.inAll, today: deps.registrationsToday },
    payments: { limit: config.payments.inAll, today: deps.paymentsToday },
    taps: deps.taps,
    now: deps.now,
    live: deps.live,
    ...{ webhooks: deps.webhooks, webhookKey: deps.webhookKey },
    browserPush: deps.browserPush,
    ...{ mail: deps.mail, places: deps.places },
    refusals: () => refusalsOf(limits),
    process: () => ({
      uptimeSeconds: process.uptime(),
      rssBytes: process.memoryUsage.rss(),
      eventLoopDelayMs: deps.loop.delayMs(),
      clockAheadMs: deps.clockAheadMs(),
    }),
  }
}

/** Where callers find the service, and its tools. */
function addresses({ baseUrl, mcpUrl }: Config): { readonly baseUrl: string; readonly mcpUrl: string } {
  return { baseUrl, mcpUrl: `${mcpUrl}/mcp/` }
}
