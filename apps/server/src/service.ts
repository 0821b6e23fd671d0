import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { operations } from '@ergon/contract'
import type { Market } from '@ergon/core'
import { signingPolicy, type SigningPolicyRules } from '@ergon/protocols'
import type { FastifyInstance } from 'fastify'
import type { ApiDeps, PeopleAccess, Reachable } from './api/deps.ts'
import type { KeyStore } from './adapters/postgres/index.ts'
import { createHandlers } from './api/handlers.ts'
import { createRecoveries } from './api/recover.ts'
import type { Config } from './config/config.ts'
import { createAdminKeyCheck } from './dispatch/admin-key.ts'
import { createAuthenticate, type ContractWallets, type NonceStore } from './dispatch/authenticate.ts'
import { createDispatch } from './dispatch/dispatch.ts'
import type { AnyHandler } from './dispatch/handlers.ts'
import { createIdempotency, type Recover } from './dispatch/idempotency.ts'
import { createKnownAgents } from './dispatch/known-agents.ts'
import { createLimits, refusalsOf } from './dispatch/limits.ts'
import { createApprovalCheck } from './dispatch/release-approval.ts'
import type { LiveSettings } from './live/live-settings.ts'
import type { Log } from './log.ts'
import { addEvidenceFiles, type EvidenceFiles } from './transports/evidence-files.ts'
import { addDocuments } from './transports/documents.ts'
import { createRest } from './transports/rest.ts'

export const version = '0.1.0'

export type ServiceDeps = {
  readonly config: Config
  readonly adminKey: string | undefined
  readonly market: Market
  readonly nonces: NonceStore
  readonly keys: KeyStore
  readonly contracts: ContractWallets
  readonly exchangeAgentKey: ApiDeps['exchangeAgentKey']
  readonly balanceOf: ApiDeps['balanceOf']
  readonly people: (mayAskContract: (ip: string) => boolean) => PeopleAccess
  /** Null where evidence is kept elsewhere. */
  readonly evidence: EvidenceFiles | null
  readonly reach: () => Promise<Reachable>
  readonly databaseAnswers: () => Promise<boolean>
  readonly newsOfEvents: (ms: number) => Promise<void>
  readonly live: LiveSettings
  readonly webhooks: ApiDeps['webhooks']
  readonly webhookKey: ApiDeps['webhookKey']
  readonly log: Pick<Log, 'info' | 'error'>
  readonly now: () => Date
}

/** The HTTP face of a market: handlers, dispatch and REST, wired by hand. Listens when it is told to. */
export function createService(deps: ServiceDeps): FastifyInstance {
  const { config, market, log } = deps
  const now = (): number => deps.now().getTime()
  const policy: SigningPolicyRules = { authorities: config.authorities, chains: config.networks.map((one) => one.chainId), maxValiditySec: 300, clockSkewSec: 30 }
  const limits = createLimits(deps.live.rates)
  const mayAskContract = (ip: string): boolean => limits.contracts.take(ip, now()).allowed
  const people = deps.people(mayAskContract)
  const handlers = createHandlers({
    market,
    networks: config.networks.map((one) => one.network),
    identityNetwork: config.identityNetwork,
    platformAgentId: config.platformAgentId,
    requireIdentity: config.requireIdentity,
    autoRegister: config.autoRegister,
    paymentMode: config.paymentMode,
    baseUrl: config.baseUrl,
    version,
    signingPolicy: () => signingPolicy(policy, { nonceEndpoint: `${config.baseUrl}/api/v1/auth/nonce`, documentation: `${config.baseUrl}/openapi.json` }),
    freshNonce: () => randomUUID().replaceAll('-', ''),
    checkApproval: createApprovalCheck({ market, nonces: deps.nonces, contracts: deps.contracts, now }),
    people,
    exchangeAgentKey: deps.exchangeAgentKey,
    balanceOf: deps.balanceOf,
    reach: deps.reach,
    keys: deps.keys,
    databaseAnswers: deps.databaseAnswers,
    newsOfEvents: deps.newsOfEvents,
    now: deps.now,
    live: deps.live,
    webhooks: deps.webhooks,
    webhookKey: deps.webhookKey,
    refusals: () => refusalsOf(limits),
    process: () => ({ uptimeSeconds: process.uptime(), rssBytes: process.memoryUsage.rss() }),
  })
  // As with the handlers below: each takes the input and the caller of its own operation.
  const recover = createRecoveries({ market, paymentMode: config.paymentMode, webhooks: deps.webhooks, webhookKey: deps.webhookKey }) as unknown as Readonly<Record<string, Recover>>
  const dispatch = createDispatch({
    idempotency: createIdempotency({ keys: deps.keys, recover, onForgotten: (error) => { log.error({ err: error }, 'an answer could not be kept with its key') } }),
    authenticate: createAuthenticate({ policy, nonces: deps.nonces, contracts: deps.contracts, mayAskContract, now }),
    people: { read: (request) => people.sessions.read(request), allows: (origin) => people.origins.allows(origin) },
    agents: createKnownAgents(market, config.requireIdentity),
    limits,
    isAdminKey: createAdminKeyCheck(deps.adminKey),
    gate: deps.live,
    realm: new URL(config.baseUrl).host,
    now,
  })
  const server = createRest({
    operations,
    // Each handler takes the input its own schema admits and the caller its own access admits; dispatch sees to both.
    handlers: handlers as unknown as Readonly<Record<string, AnyHandler>>,
    dispatch,
    publicUrl: config.baseUrl,
    version,
    trustedProxies: config.trustedProxies,
    nextRequestId: () => randomUUID(),
    onRequest: (line) => { log.info(line, 'request') },
    onFault: (error, requestId) => { log.error({ err: error, id: requestId }, 'a request failed unforeseen') },
  })
  if (deps.evidence !== null) addEvidenceFiles(server, deps.evidence, deps.now)
  addDocuments(server, { baseUrl: config.baseUrl, version })
  return server
}
