import type { Address } from '@ergon/protocols'
import type { BlockedAddress } from '../config/config.ts'
import type { Networks } from '../network/served-network.ts'
import type { GasBudget } from '../gas/gas-budget.ts'
import type { PaymentGas } from '../gas/payment-gas.ts'
import type { Elapsed } from '../settle/elapsed.ts'
import type { LifecycleRules } from '../settle/lifecycle.ts'
import type { Registrar } from '../identity/register.ts'
import type { IntentStore } from '../store/intents.ts'
import type { SolanaNetwork } from '../solana/network.ts'
import type { StandingBook } from '../store/standing-book.ts'
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

/** What the endpoints stand on; made once in `service.ts`. */
/** Zero when a request of the key may pass, else the seconds to wait. */
export type Take = (key: string) => number

export type Context = {
  readonly networks: Networks
  readonly account: Address
  /** Lower case. */
  readonly formerAccounts: readonly string[]
  readonly intents: IntentStore
  readonly registrar: Registrar
  readonly lifecycle: LifecycleRules
  readonly elapsed: Elapsed
  /** Undefined: releases under a standing order are refused. */
  readonly standing: StandingBook | undefined
  /** Undefined: no payment on Solana is served. */
  readonly solana: SolanaNetwork | undefined
  readonly blacklist: readonly BlockedAddress[]
  readonly adminToken: string | undefined
  readonly settleWaitMs: number
  readonly limits: {
    readonly payments: Take | undefined
    readonly identity: Take | undefined
    /** Of what anybody may have read from a chain. */
    readonly reads: Take | undefined
  }
  /** Undefined: no limit. */
  readonly gas: GasBudget | undefined
  readonly paymentGas: Pick<PaymentGas, 'today'> | undefined
  /** Wei in a sending account below which health says so. */
  readonly gasAlarmBelow: bigint
  /** For how long the database has been silent, or is another one. */
  readonly database: { silentMs(): number; refusedMs(): number }
  /** How late the event loop is, milliseconds: just now, and lastingly. */
  readonly loop: { delayMs(): number; lastingMs(): number }
  /** Above it only orders are taken; 0 takes everything. */
  readonly shedAboveMs: number
  readonly log: Log
  readonly surroundings: Surroundings
  /** Unix seconds. */
  readonly now: () => number
}

export type BlockCheck = (...addresses: readonly (string | undefined)[]) => void

/** Compliance before everything else: neither side of a payment nor a rater may be listed. */
export function createBlockCheck(blacklist: readonly BlockedAddress[]): BlockCheck {
  const blocked = new Set(blacklist.map((entry) => entry.wallet.toLowerCase()))
  return (...addresses) => {
    for (const address of addresses) {
      if (address !== undefined && blocked.has(address.toLowerCase()))
        throw new Refusal('address_blocked', `Address blocked: ${address}`, { status: 403 })
    }
  }
}
