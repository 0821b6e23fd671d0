import {
  type Channels,
  createMarket,
  type DayBudget,
  type Market,
  type MarketNetwork,
  readPolicy,
  type Store,
} from '@ergon/core'
import { closedNames } from '@ergon/contract/facts'
import type { Network } from '@ergon/protocols'
import { budgetedIdentities } from './adapters/budgeted-identities.ts'
import type { Adapters } from './adapters/index.ts'
import type {
  createPaymentBudget,
  createPortfolioBudget,
  createRegistrationBudget,
  createUploads,
} from './adapters/postgres/index.ts'
import { boundedInspector, boundedReviewer } from './adapters/verification-bounds.ts'
import type { Config } from './config/config.ts'
import { arbitersOf, boundsOf } from './config/run-defaults.ts'
import type { LiveSettings } from './live/live-settings.ts'
import type { WiredSplits } from './wire-splits.ts'
import type { createIds } from './surroundings/ids.ts'

/** What the market and the store call when work waits; each is set once the part that does the work runs. */
export type Alarms = { settlements: () => void; verifications: () => void; events: () => void }

type MarketParts = {
  readonly config: Config
  readonly store: Store
  readonly adapters: Adapters
  readonly books: {
    readonly registrations: ReturnType<typeof createRegistrationBudget>
    readonly payments: ReturnType<typeof createPaymentBudget>
    readonly uploads: ReturnType<typeof createUploads>
    readonly pictures: DayBudget
    readonly reports: DayBudget
    readonly portfolio: ReturnType<typeof createPortfolioBudget>
  }
  readonly live: Pick<LiveSettings, 'config'>
  readonly ids: ReturnType<typeof createIds>
  readonly now: () => Date
  readonly alarms: Alarms
  /** Null: no task is metered. */
  readonly channels: MeteredNetwork | null
  /** Null: no bounty is paid in one transaction. */
  readonly splits: WiredSplits | null
}

/** Metered channels, and the network of the table that keeps them. */
export type MeteredNetwork = { readonly channels: Channels; readonly network: Network }

/** The market on its real ports. */
export function composeMarket(parts: MarketParts): Market {
  const { config, store, adapters, books, live, ids, now, alarms, channels, splits } = parts
  const reviewer = adapters.reviewer === null ? null : boundedReviewer(adapters.reviewer)
  return createMarket({
    store,
    networks: servedBy(config, channels).map((network) => ({
      ...marketNetwork(network),
      paysInOne: network.name === splits?.payments.network,
    })),
    rails: (name) => (splits !== null && name === splits.payments.network ? splits.rail : adapters.rails(name)),
    signatures: adapters.signatures,
    identities: budgetedIdentities(adapters.identities, books.registrations),
    ratings: adapters.ratings,
    evidence: adapters.evidence,
    uploads: books.uploads,
    pictures: { maker: adapters.pictureMaker, budget: books.pictures },
    portfolio: { maker: adapters.portfolioMaker, budget: books.portfolio },
    reports: books.reports,
    payments: books.payments,
    clock: { now },
    ids,
    wakeup: {
      settlements: () => {
        alarms.settlements()
      },
      verifications: () => {
        alarms.verifications()
      },
    },
    verification: {
      inspector: boundedInspector(adapters.inspector),
      reviewer: () => (live.config()['review.enabled'] ? reviewer : null),
    },
    ...(channels === null ? {} : { channels: channels.channels }),
    ...(splits === null ? {} : { splits: splits.payments }),
    settings: marketSettings(config, live),
  })
}

/** Every network that the market knows, the one of metered channels with them. */
export function servedBy({ networks }: Pick<Config, 'networks'>, channels: MeteredNetwork | null): readonly Network[] {
  return [...networks.map(({ network }) => network), ...(channels === null ? [] : [channels.network])]
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
    cashOutsPerDay: config.cashOutsPerDay,
    // Read at each use: the bounds may change while the service runs (decision 0058).
    get arbiters() {
      return arbitersOf(live.config())
    },
    get closedNetworks() {
      return closedNames(live.config()['networks.closed'])
    },
    get bounds() {
      return boundsOf(live.config())
    },
    policy: config.taskPolicy ? readPolicy({}) : null,
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
    isLocal: network.name === 'localnet',
    takesRatings: network.ratings === 'selectable' && network.erc8004 !== undefined,
  }
}
