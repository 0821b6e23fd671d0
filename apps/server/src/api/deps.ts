import type { PaymentMode } from '@ergon/contract'
import type { Asset, ChannelFacts, Market, Payment, WalletCaller, Webhooks } from '@ergon/core'
import type { OwnGrants } from '@ergon/oauth'
import type { Network } from '@ergon/protocols'
import type { Accounts } from '../dispatch/accounts.ts'
import type { NonceStore } from '../dispatch/authenticate.ts'
import type { EventTaps } from '../events/event-taps.ts'
import type { MeterWatches } from '../events/meter-watches.ts'
import type { ExchangeAgentKey } from '../sessions/agent-keys.ts'
import type { LiveSettings } from '../live/live-settings.ts'
import type { PeopleAccess } from '../sessions/people-access.ts'
import type { WithinCap } from './capped-approvals.ts'
import type { FundingKeys } from './funding-keys.ts'
import type { KeyLookup } from './operations.ts'
import type { StandingRelease } from './standing-release.ts'
import type { MailNotices } from './mail.ts'
import type { Places } from './places.ts'
import type { PictureLinks } from './present/portfolio.ts'
import type { BrowserPush } from './push.ts'

/** What the signature of an approval must say of a submission; the check throws APPROVAL_INVALID (spec §5.8). */
export type CheckApproval = (caller: WalletCaller, submissionId: string, raw: string) => Promise<void>

export type Reachable = { readonly facilitator: boolean; readonly networks: Readonly<Record<string, boolean>> }

export type ProcessFacts = {
  readonly uptimeSeconds: number
  readonly rssBytes: number
  readonly eventLoopDelayMs: number
  readonly clockAheadMs: number | null
}

/** What handlers stand on: the market, and what this deployment says about itself. */
export type ApiDeps = {
  readonly market: Market
  /** The first is preferred. */
  readonly networks: readonly Network[]
  /** Pays bounties as well, without escrow and by other wallets than those of accounts; null where none does. */
  readonly bountyNetwork: Network | null
  readonly identityNetwork: string
  /** The platform's own ERC-8004 id on that network, when it has one. */
  readonly platformAgentId: number | null
  readonly requireIdentity: boolean
  readonly autoRegister: boolean
  /** Whether tool hosts are let in with delegated tokens. */
  readonly oauth: boolean
  /** What wallets let tools do; null while none is let in. */
  readonly ownGrants: OwnGrants | null
  /** What everybody may know of metered channels; null where there are none. */
  readonly channels: ChannelFacts | null
  /** Whether vouchers are shown as they are accepted. */
  readonly gateway: boolean
  /** Whether time is metered without a task as well. */
  readonly streams: boolean
  /** Channels as they change, for whoever watches. */
  readonly meters: Pick<MeterWatches, 'open'>
  /** Whether a wallet has paid work behind it (decision 0317). */
  readonly isProven: (wallet: string) => Promise<boolean>
  /** Streams of meters that this process holds open: of one caller, of one address, and of all. */
  readonly meterSeats: { readonly each: number; readonly perAddress: number; readonly inAll: number }
  /** External signers that wallets linked; off, what was kept can still be read and deleted. */
  readonly linked: {
    readonly isOn: boolean
    find(wallet: string): Promise<{ readonly secret: string | null } | null>
    /** Whether there was a secret. */
    unlink(wallet: string): Promise<boolean>
  }
  readonly paymentMode: PaymentMode
  readonly baseUrl: string
  /** Where tools are called. */
  readonly mcpUrl: string
  readonly version: string
  readonly signingPolicy: () => Readonly<Record<string, unknown>>
  readonly freshNonce: () => string
  readonly checkApproval: CheckApproval
  readonly withinCap: WithinCap
  readonly standingRelease: StandingRelease
  readonly people: PeopleAccess
  /** Remembers what may be used once. */
  readonly nonces: Pick<NonceStore, 'consume'>
  /** Whether an address is the account of who proved it. */
  readonly accounts: Pick<Accounts, 'check'>
  readonly exchangeAgentKey: ExchangeAgentKey
  /** What a wallet holds, from the chain. @throws CHAIN_UNAVAILABLE */
  readonly balanceOf: (wallet: string, asset: Asset) => Promise<bigint>
  /** What a release of a payment could move now, from the chain. @throws CHAIN_UNAVAILABLE */
  readonly capturableOf: (payment: Payment) => Promise<bigint>
  readonly fundingKeys: FundingKeys
  readonly portfolioLinks: PictureLinks
  readonly reach: () => Promise<Reachable>
  readonly databaseAnswers: () => Promise<boolean>
  /** Identities that this deployment pays for in a UTC day, 0 for no limit, and how many it paid for today. */
  readonly registrations: { readonly limit: number; readonly today: () => Promise<number> }
  /** Payments that it pays the gas of, in the same way. */
  readonly payments: { readonly limit: number; readonly today: () => Promise<number> }
  /** Calls by the key they came with. */
  readonly keys: KeyLookup
  readonly now: () => Date
  /** Bans and settings that may change while the service runs. */
  readonly live: Pick<LiveSettings, 'defaults' | 'config' | 'refresh' | 'isBanned'>
  /** Requests that the rate limits of this process stopped. */
  readonly refusals: () => number
  readonly process: () => ProcessFacts
  /** Hands events to whoever waits for them, as they happen. */
  readonly taps: Pick<EventTaps, 'open'>
  readonly webhooks: Webhooks
  readonly webhookKey: (webhookId: string) => string
  readonly browserPush: BrowserPush
  /** Null where no mail is sent. */
  readonly mail: MailNotices | null
  /** Null where no addresses are looked up. */
  readonly places: Places | null
}
