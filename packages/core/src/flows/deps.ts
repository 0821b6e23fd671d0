import type { PaymentMode } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import type { MarketNetwork } from '../network.ts'
import type { Channels } from '../ports/channel-ledger.ts'
import type { IdentityRegistry } from '../ports/identity-registry.ts'
import type { PaymentBudget } from '../ports/payment-budget.ts'
import type { DayBudget } from '../ports/day-budget.ts'
import type { PictureMaker } from '../ports/pictures.ts'
import type { PortfolioBudget, PortfolioMaker } from '../ports/portfolio.ts'
import type { Rail } from '../ports/rail.ts'
import type { RatingRelay } from '../ports/rating-relay.ts'
import type { PaymentSignatures } from '../ports/signatures.ts'
import type { SplitPayments } from '../ports/split-payments.ts'
import type { Store } from '../ports/store.ts'
import type { Clock, EvidenceStorage, Ids, Wakeup } from '../ports/surroundings.ts'
import type { Uploads } from '../ports/uploads.ts'
import type { EvidenceInspector, Reviewer } from '../ports/verification.ts'
import type { TaskPolicy } from '../policy/policy.ts'
import type { BountyBounds } from '../tasks/bounty.ts'
import type { Held } from './held.ts'

export type MarketSettings = {
  readonly paymentMode: PaymentMode
  readonly preferredNetwork: string
  /** Where agents are known and rated. */
  readonly identityNetwork: string
  /** Registers unknown wallets instead of refusing them (spec §1.12). */
  readonly autoRegister: boolean
  readonly requireIdentity: boolean
  /** How long a caller is kept waiting for the chain before it is told 202. */
  readonly settleWaitMs: number
  /**
   * For how long one process owns a due row other than a settlement. Longer than any single wait for another service.
   */
  readonly leaseMs: number
  readonly bounds: BountyBounds
  /** Cash-outs that this deployment pays the gas of in a UTC day; 0, or absent: none. */
  readonly cashOutsPerDay?: number
  /** Of a task whose publisher gives it none; null leaves it without. */
  readonly policy: TaskPolicy | null
  /** Wallets that may rule on disputes, lower case; absent: none (decision 0168). */
  readonly arbiters?: readonly string[]
  /** Networks where nothing new begins, by name, or `*`; absent: none (decision 0299). */
  readonly closedNetworks?: readonly string[]
  /** Where feedback documents are served: this, a slash, the task id. */
  readonly feedbackBaseUrl: string
}

/** Everything the flows stand on. */
export type MarketDeps = MarketParts & {
  /** What this process works on. */
  readonly held: Held
  /**
   * The caller as the act needs it: one that owes an identity is registered now. Called right before the act is
   * written, because a registration costs gas that this deployment pays (decision 0092).
   * @throws identity_check_unavailable while the registration is on its way, REGISTRATION_FAILED, RATE_LIMITED,
   * GAS_BUDGET_SPENT
   */
  readonly identified: (caller: WalletCaller) => Promise<WalletCaller>
}

/** Everything a marketplace is made of. */
export type MarketParts = {
  readonly store: Store
  readonly networks: readonly MarketNetwork[]
  /** The rail that moves money on a network. @throws NETWORK_NOT_ACCEPTED */
  readonly rails: (network: string) => Rail
  readonly signatures: PaymentSignatures
  readonly identities: IdentityRegistry
  readonly ratings: RatingRelay
  readonly evidence: EvidenceStorage
  readonly uploads: Uploads
  /** Undefined: nobody shows a picture. */
  readonly pictures?: { readonly maker: PictureMaker; readonly budget: DayBudget }
  /** Undefined: nobody shows work on a profile. */
  readonly portfolio?: { readonly maker: PortfolioMaker; readonly budget: PortfolioBudget }
  /** Reports of a day; undefined: any number. */
  readonly reports?: DayBudget
  /** Undefined: payments may cost any gas. */
  readonly payments?: PaymentBudget
  /** Who opens files, and who is asked about them; asked anew each time, because it can be switched off. */
  readonly verification: { readonly inspector: EvidenceInspector; readonly reviewer: () => Reviewer | null }
  /** Undefined: no task is metered. */
  readonly channels?: Channels
  /** Undefined: no network pays a bounty in one transaction. */
  readonly splits?: SplitPayments
  readonly clock: Clock
  readonly ids: Ids
  readonly wakeup: Wakeup
  readonly settings: MarketSettings
}
