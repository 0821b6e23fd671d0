import { createHash } from 'node:crypto'
import { MarketError } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { demand } from '../dispatch/limits.ts'
import { createRateLimiter } from '../dispatch/rate-limit.ts'
import type { ApiDeps } from './deps.ts'
import { proofLivesMs } from './key-proof.ts'
import { demandPayoutProof } from './payout-proof.ts'
import { presentAccountExport } from './present/account-export.ts'

/** An export reads every table; nobody needs a sixth within an hour. */
const exportsPerHour = 5
/** Each is a signature to check; an address is changed now and then. */
const bindingsPerHour = 60

/** What a wallet does with its own account (spec §4). */
export function createAccountHandlers(deps: ApiDeps): HandlersOf<'account'> {
  const { market } = deps
  const exports = createRateLimiter(exportsPerHour, 3_600_000)
  const bindings = createRateLimiter(bindingsPerHour, 3_600_000)
  const service = new URL(deps.baseUrl).host
  const spend = spendingProofs(deps)
  return {
    'account.export': async ({ caller }) => {
      const now = deps.now().getTime()
      demand(exports.take(caller.wallet, now), now)
      const account = await market.exportAccount(caller)
      const day = account.exportedAt.toISOString().slice(0, 10)
      return {
        body: { stream: presentAccountExport(account), contentType: 'application/json; charset=utf-8' },
        headers: { 'content-disposition': `attachment; filename="account-${caller.wallet}-${day}.json"` },
      }
    },
    'account.remove': async ({ caller, request }) => {
      const session = caller.via === 'session' ? await deps.people.sessions.read(request) : null
      await market.anonymiseAccount(caller)
      const body = {
        message:
          'The account is anonymised. Tasks, payments and what is on chain stay; the wallet may come back with an empty profile.',
      }
      return session === null
        ? done(body)
        : { body, headers: { 'set-cookie': await deps.people.sessions.close(session.sid) } }
    },
    'account.payboxLink': async ({ caller }) => {
      const link = await deps.linked.find(caller.wallet)
      const status = link === null ? 'unlinked' : link.secret === null ? 'unlinked_by_paybox' : 'linked'
      return done({ status, enabled: deps.linked.isOn })
    },
    'account.unlinkPaybox': async ({ caller }) =>
      done({ deleted: await deps.linked.unlink(caller.wallet), status: 'unlinked' as const }),
    'account.bindSolanaPayout': async ({ caller }, input) => {
      const address = input.solana_payout_address
      const now = deps.now()
      demand(bindings.take(caller.wallet, now.getTime()), now.getTime())
      const executorId = await market.ownExecutorId(caller)
      const binding = { service, wallet: caller.wallet, executorId, address }
      demandPayoutProof(binding, input.message, input.signature, now)
      if ((await market.payoutAddress(caller, executorId)) !== address) {
        await spend(`${address} ${input.message}`, now)
        await market.bindPayoutAddress(caller, address)
      }
      return done({ executor_id: executorId, solana_payout_address: address })
    },
  }
}

/** A proof changes an address once: whoever has seen it cannot set the address back with it. */
function spendingProofs({ nonces }: Pick<ApiDeps, 'nonces'>): (proof: string, now: Date) => Promise<void> {
  return async (proof, now) => {
    const key = `payout proof ${createHash('sha256').update(proof).digest('hex')}`
    const until = Math.ceil((now.getTime() + proofLivesMs) / 1_000)
    const isNew = await nonces.consume(key, until).catch((cause: unknown) => {
      throw new MarketError('nonce_store_unavailable', {}, { cause })
    })
    if (isNew) return
    throw new MarketError('PAYOUT_PROOF_INVALID', { field: 'message', constraint: 'a text that was not used before' })
  }
}
