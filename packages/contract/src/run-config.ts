import * as Type from 'typebox'
import type { Static, TSchema } from 'typebox'
import { limits } from './vocabulary.ts'

type RunSetting = { readonly schema: TSchema; readonly says: string }

const anAddress = '0x[0-9a-f]{40}'
const aNetwork = '[a-z0-9][a-z0-9-]{0,62}'

const rate = (says: string) => ({
  schema: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  says: `${says}; 0 is no limit.`,
})

/**
 * Settings that can be changed while the service runs (decision 0058). The fee and the payment mode are none of them.
 */
export const runSettings = {
  'bounty.min_usd': {
    schema: Type.Number({ minimum: limits.bountyMinUsd, maximum: limits.bountyMaxUsd }),
    says: 'Lowest bounty of a new task or price of a listing, in dollars with at most six decimals.',
  },
  'bounty.max_usd': {
    schema: Type.Number({ minimum: limits.bountyMinUsd, maximum: limits.bountyMaxUsd }),
    says: 'Highest bounty of a new task; at most what the payment mode allows.',
  },
  'rates.anonymous_per_minute': rate('Requests a minute of an address without a signature'),
  'rates.wallet_per_minute': rate('Requests a minute of a wallet'),
  'rates.publish_per_hour': rate('Tasks a wallet may publish in an hour'),
  'features.services': { schema: Type.Boolean(), says: 'Whether listings are offered and ordered.' },
  'features.h2a': { schema: Type.Boolean(), says: 'Whether people publish and decide over their sessions.' },
  'disputes.arbiters': {
    schema: Type.String({ pattern: `^(?:${anAddress}(?:,${anAddress}){0,9})?$`, maxLength: 430 }),
    says: 'Wallets that may rule on disputes, lower case, with commas between; ten at most.',
  },
  'networks.closed': {
    schema: Type.String({ pattern: `^(?:\\*|${aNetwork}(?:,${aNetwork}){0,63})?$`, maxLength: 4_096 }),
    says: 'Networks that take no new jobs and no new locks, with commas between; * is every one. What is open ends as usual.',
  },
  'review.enabled': {
    schema: Type.Boolean(),
    says: 'Whether submissions are shown to the reviewer, where one is set up.',
  },
} as const satisfies Record<string, RunSetting>

export type RunConfigKey = keyof typeof runSettings
/** Every setting with a value. */
export type RunConfig = { readonly [K in RunConfigKey]: Static<(typeof runSettings)[K]['schema']> }

// The keys of a literal.
export const runConfigKeys: readonly RunConfigKey[] = Object.keys(runSettings) as RunConfigKey[]

/** The section of operations that a setting switches off. */
export const featureOf = (section: string): 'features.services' | 'features.h2a' | undefined =>
  section === 'services' ? 'features.services' : section === 'h2a' ? 'features.h2a' : undefined
