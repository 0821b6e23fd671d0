import { createHash } from 'node:crypto'
import { categories, evidenceTypes, limits, operations, type Operation, type Operations } from '@ergon/contract'
import type { MarketStats } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { bountyNetworks } from './bounty-networks.ts'
import type { ApiDeps } from './deps.ts'
import { agentCard, identityOf, name, protocolsOf, skillsOf, tagline } from './present/agent-card.ts'
import { presentLag } from './present/chain-lag.ts'
import { instantOrNull } from './present/instant.ts'
import { presentTrouble } from './present/trouble-by-network.ts'
import { presentUploads } from './present/upload-sizes.ts'

type Some = Partial<HandlersOf<'service'>>

/** Counting whole tables is cheap once, not at every visit. */
const statsMs = 10_000

export function createServiceHandlers(deps: ApiDeps): HandlersOf<'service'> {
  return { ...createHealth(deps), ...createHealthOfParts(deps), ...createConfig(deps), ...createDiscovery(deps) }
}

const createHealth = (deps: ApiDeps) =>
  ({
    'service.health': async () => {
      const [database, reached, uploads] = await Promise.all([
        deps.databaseAnswers(),
        deps.reach(),
        deps.market.uploadSizes().then(presentUploads, () => null),
      ])
      const isHealthy = database && reached.facilitator && Object.values(reached.networks).every(Boolean)
      return done({
        status: statusOf(isHealthy),
        api_version: 'v1' as const,
        version: deps.version,
        timestamp: deps.now().toISOString(),
        database,
        facilitator: reached.facilitator,
        networks: { ...reached.networks },
        closed_networks: [...deps.market.closedNetworks()],
        agent_id: deps.platformAgentId,
        erc8004_network: deps.identityNetwork,
        event_loop_delay_ms: deps.process().eventLoopDelayMs,
        clock_ahead_ms: rounded(deps.process().clockAheadMs),
        uploads,
      })
    },
    'service.healthPayments': async () => {
      const [health, found, lags] = await Promise.all([
        deps.market.paymentsHealth(),
        deps.market.moneyFindings(),
        deps.market.chainLags(),
      ])
      const isHealthy = health.inDoubt === 0 && health.ledgerBalanced && found.unresolved === 0
      return done({
        status: statusOf(isHealthy),
        in_flight: health.inFlight,
        in_doubt: health.inDoubt,
        oldest_seconds: health.oldestSeconds,
        ledger_balanced: health.ledgerBalanced,
        findings: { ...found.counts },
        by_network: presentTrouble(health.byNetwork, found.byNetwork),
        oldest_finding_at: instantOrNull(found.oldest),
        audited_at: instantOrNull(found.lastRun),
        chains: lags.map(presentLag),
      })
    },
  }) satisfies Some

const createHealthOfParts = (deps: ApiDeps) =>
  ({
    'service.healthIdentity': async () => {
      const [{ facilitator, networks }, today] = await Promise.all([deps.reach(), deps.registrations.today()])
      const registry = networks[deps.identityNetwork] === true
      const { limit } = deps.registrations
      const registrations = { today, limit: limit === 0 ? null : limit }
      return done({
        status: statusOf(registry && facilitator && (limit === 0 || today < limit)),
        registrations,
        network: deps.identityNetwork,
        registry,
        facilitator,
        agent_id: deps.platformAgentId,
        identity_required: deps.requireIdentity,
        auto_register: deps.autoRegister,
      })
    },
    'service.healthNetworks': async () => {
      const reached = await deps.reach()
      const networks = deps.networks.map((one) => ({
        name: one.name,
        caip2: one.caip2,
        reachable: reached.networks[one.name] === true,
        escrow: one.escrow !== undefined,
        tokens: Object.keys(one.tokens),
        identity: one.erc8004 !== undefined,
        ratings: one.erc8004 !== undefined && one.ratings === 'selectable',
        takes_new_jobs: !deps.market.closedNetworks().includes(one.name),
      }))
      return done({ status: statusOf(networks.every((one) => one.reachable)), networks })
    },
  }) satisfies Some

const createConfig = (deps: ApiDeps) =>
  ({
    'service.config': () =>
      done({
        service_url: new URL(deps.baseUrl).origin,
        supported_networks: bountyNetworks(deps).map((one) => one.name),
        supported_tokens: [...new Set(deps.networks.flatMap((one) => Object.keys(one.tokens)))],
        preferred_network: deps.networks[0]?.name ?? '',
        closed_networks: [...deps.market.closedNetworks()],
        payment_mode: deps.paymentMode,
        min_bounty: deps.live.config()['bounty.min_usd'],
        max_bounty: deps.live.config()['bounty.max_usd'],
        rate_limits: {
          anonymous_per_minute: deps.live.config()['rates.anonymous_per_minute'],
          wallet_per_minute: deps.live.config()['rates.wallet_per_minute'],
          publish_per_hour: deps.live.config()['rates.publish_per_hour'],
        },
        features: {
          services: deps.live.config()['features.services'],
          h2a: deps.live.config()['features.h2a'],
          streams: deps.channels !== null && deps.streams,
          taximetro: deps.channels !== null && deps.gateway,
          channels: deps.channels !== null,
          meters: deps.channels !== null,
          oauth: deps.oauth,
          mail: deps.mail !== null,
          places: deps.places !== null,
        },
        categories: [...categories],
        evidence_types: [...evidenceTypes],
      }),
  }) satisfies Some

const createDiscovery = (deps: ApiDeps) => {
  const stats = createStats(deps)
  const card = agentCard(deps, skillsOf(routeOf))
  // Whoever has it is not sent it again.
  const cardHeaders = {
    etag: `"${createHash('sha256').update(JSON.stringify(card)).digest('base64url').slice(0, 22)}"`,
  }
  return {
    'service.agentInfo': async () => {
      const { openTasks, activeTasks, completedTasks, workers, agents } = await stats()
      return done({
        name,
        tagline,
        version: deps.version,
        agent_id: deps.platformAgentId,
        network: deps.identityNetwork,
        identity: identityOf(deps),
        protocols: protocolsOf(deps),
        payment: {
          mode: deps.paymentMode,
          networks: bountyNetworks(deps).map((one) => one.name),
          tokens: [...new Set(deps.networks.flatMap((one) => Object.keys(one.tokens)))],
          fee_bps: limits.feeBps,
          custody: 'none',
          gas: 'paid by the facilitator',
        },
        stats: { open_tasks: openTasks, active_tasks: activeTasks, completed_tasks: completedTasks, workers, agents },
        skills: skillsOf(routeOf).map((skill) => ({ ...skill })),
        task_categories: [...categories],
        links: {
          openapi: `${deps.baseUrl}/openapi.json`,
          agent_card: `${deps.baseUrl}/.well-known/agent.json`,
          skills: `${deps.baseUrl}/api/v1/skills`,
          signing_policy: `${deps.baseUrl}/api/v1/auth/erc8128/info`,
        },
        timestamp: deps.now().toISOString(),
      })
    },
    'service.skills': () =>
      done({ agent: name, agent_id: deps.platformAgentId, version: deps.version, skills: skillsOf(routeOf) }),
    'service.agentCard': () => ({ body: card, headers: cardHeaders }),
  } satisfies Some
}

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms))

function statusOf(isHealthy: boolean): 'healthy' | 'degraded' {
  return isHealthy ? 'healthy' : 'degraded'
}

/** Where an operation answers, as the contract says. */
function routeOf(operation: keyof Operations): string {
  const definition: Operation = operations[operation]
  const route = definition.rest[0]
  if (route === undefined) throw new Error(`${operation} has no route`)
  return `${route.method} ${route.path}`
}

function createStats({ market }: ApiDeps): () => Promise<MarketStats> {
  let counted: { readonly at: number; readonly answer: Promise<MarketStats> } | undefined
  return () => {
    if (counted === undefined || performance.now() - counted.at > statsMs) {
      const answer = market.marketStats()
      counted = { at: performance.now(), answer }
      answer.catch(() => {
        counted = undefined
      })
    }
    return counted.answer
  }
}
