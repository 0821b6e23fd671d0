import { categories, evidenceTypes } from '@ergon/contract'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { presentLag } from './present/chain-lag.ts'
import { instantOrNull } from './present/instant.ts'
import { presentUploads } from './present/upload-sizes.ts'

type ServiceOperations =
  'service.health' | 'service.healthPayments' | 'service.config' | 'auth.nonce' | 'auth.signingPolicy' | 'auth.info'

const signatureTtlSec = 300

export function createServiceHandlers(deps: ApiDeps): HandlersOf<ServiceOperations> {
  return {
    'service.health': async () => {
      const [database, reached, uploads] = await Promise.all([
        deps.databaseAnswers(),
        deps.reach(),
        deps.market.uploadSizes().then(presentUploads, () => null),
      ])
      const isHealthy = database && reached.facilitator && Object.values(reached.networks).every(Boolean)
      return done({
        status: isHealthy ? ('healthy' as const) : ('degraded' as const),
        api_version: 'v1' as const,
        version: deps.version,
        timestamp: deps.now().toISOString(),
        database,
        facilitator: reached.facilitator,
        networks: { ...reached.networks },
        agent_id: deps.platformAgentId,
        erc8004_network: deps.identityNetwork,
        event_loop_delay_ms: deps.process().eventLoopDelayMs,
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
        status: isHealthy ? ('healthy' as const) : ('degraded' as const),
        in_flight: health.inFlight,
        in_doubt: health.inDoubt,
        oldest_seconds: health.oldestSeconds,
        ledger_balanced: health.ledgerBalanced,
        findings: { ...found.counts },
        oldest_finding_at: instantOrNull(found.oldest),
        audited_at: instantOrNull(found.lastRun),
        chains: lags.map(presentLag),
      })
    },
    'service.config': () =>
      done({
        supported_networks: deps.networks.map((one) => one.name),
        supported_tokens: [...new Set(deps.networks.flatMap((one) => Object.keys(one.tokens)))],
        preferred_network: deps.networks[0]?.name ?? '',
        payment_mode: deps.paymentMode,
        min_bounty: deps.live.config()['bounty.min_usd'],
        max_bounty: deps.live.config()['bounty.max_usd'],
        rate_limits: {
          anonymous_per_minute: deps.live.config()['rates.anonymous_per_minute'],
          wallet_per_minute: deps.live.config()['rates.wallet_per_minute'],
          publish_per_hour: deps.live.config()['rates.publish_per_hour'],
        },
        features: { services: deps.live.config()['features.services'], h2a: deps.live.config()['features.h2a'] },
        categories: [...categories],
        evidence_types: [...evidenceTypes],
      }),
    'auth.nonce': () =>
      done({
        nonce: deps.freshNonce(),
        ttl_seconds: signatureTtlSec,
        message: 'Use it in one signed request; a nonce of your own making is just as good.',
      }),
    'auth.signingPolicy': () => done({ ...deps.signingPolicy() }),
    'auth.info': () =>
      done({
        modes: [
          {
            name: 'erc8128',
            enabled: true,
            description: 'Requests signed by a wallet (RFC 9421, ERC-8128); see /api/v1/auth/erc8128/info.',
          },
          {
            name: 'session',
            enabled: true,
            description: 'Session of a person in a cookie; see POST /api/v1/auth/session/challenge.',
          },
          { name: 'oauth', enabled: false, description: 'Delegated tokens on the tool rail.' },
          { name: 'api_key', enabled: false, description: 'Refused on this host.' },
        ],
        paybox_connect: false,
      }),
  }
}
