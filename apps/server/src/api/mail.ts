import { addressKey } from '@ergon/protocols'
import { isMailAddress } from '@ergon/contract/facts'
import { MarketError, type MailSubscription, type MailSubscriptions } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { demand } from '../dispatch/limits.ts'
import { createRateLimiter } from '../dispatch/rate-limit.ts'
import type { ApiDeps } from './deps.ts'

/** How notices come to be mailed. */
export type MailNotices = {
  readonly subscriptions: Pick<MailSubscriptions, 'put' | 'find' | 'remove'>
  /** Counts a confirmation; the milliseconds until the next may be sent when there is no room for it, or null. */
  roomToAsk(addressee: { readonly wallet: string; readonly address: string }): Promise<number | null>
}

const hourMs = 3_600_000
/** Changes; what is mailed has budgets of its own, by wallet, mailbox and in all. */
const changesPerHour = { ofWallet: 30, ofAddress: 60 } as const
/** Confirmations that one caller has sent, whatever wallets it makes. */
const asksPerHour = 10
/** Who asks twice in a moment is sent one confirmation. */
const askedJustNowMs = 60_000

/** A person's notices by mail (decision 0239). */
export function createMailHandlers({ mail, live, now }: Pick<ApiDeps, 'mail' | 'live' | 'now'>): HandlersOf<'mail'> {
  const rail = (): MailNotices => {
    if (mail === null) throw new MarketError('FEATURE_DISABLED')
    return mail
  }
  // None where requests without a signature have no limit.
  const ofCallers = (most: number) => (): number => (live.config()['rates.anonymous_per_minute'] > 0 ? most : 0)
  const [ofWallet, ofAddress, asks] = [
    createRateLimiter(changesPerHour.ofWallet, hourMs),
    createRateLimiter(ofCallers(changesPerHour.ofAddress), hourMs),
    createRateLimiter(ofCallers(asksPerHour), hourMs),
  ]
  return {
    'mail.read': async ({ caller }) => {
      const found = await rail().subscriptions.find(caller.wallet)
      return done({ mail: found === null ? null : present(found) })
    },
    'mail.subscribe': async ({ caller, request }, { address, kinds, language = 'en' }) => {
      const { subscriptions, roomToAsk } = rail()
      const { wallet } = caller
      if (!isMailAddress(address))
        throw new MarketError('VALIDATION_FAILED', { field: 'address', constraint: 'at most 64 signs before the @' })
      const at = now().getTime()
      demand(ofWallet.take(wallet, at), at)
      demand(ofAddress.take(addressKey(request.ip), at), at)
      const isAsking = needsConfirmation(await subscriptions.find(wallet), address, at)
      if (isAsking) {
        demand(asks.take(addressKey(request.ip), at), at)
        const waitMs = await roomToAsk({ wallet, address })
        if (waitMs !== null) throw tooMany(waitMs, at)
      }
      return done(present(await subscriptions.put({ wallet, address, kinds, language }, isAsking)))
    },
    'mail.remove': async ({ caller }) => done({ deleted: await rail().subscriptions.remove(caller.wallet) }),
  }
}

function needsConfirmation(known: MailSubscription | null, address: string, at: number): boolean {
  if (known === null || known.address !== address) return true
  return known.confirmedAt === null && at - known.askedAt.getTime() > askedJustNowMs
}

function tooMany(waitMs: number, at: number): MarketError {
  return new MarketError(
    'RATE_LIMITED',
    {
      remaining: 0,
      reset_at: new Date(at + waitMs).toISOString(),
      retry_after_sec: Math.max(1, Math.ceil(waitMs / 1_000)),
    },
    { message: 'No more confirmations are mailed for now: to this address, for this wallet, or in all.' },
  )
}

function present({ address, kinds, language, askedAt, confirmedAt }: MailSubscription) {
  return {
    address,
    state: confirmedAt === null ? ('waiting' as const) : ('on' as const),
    kinds: [...kinds],
    language,
    asked_at: askedAt.toISOString(),
  }
}
