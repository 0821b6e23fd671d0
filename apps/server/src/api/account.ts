import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { demand } from '../dispatch/limits.ts'
import { createRateLimiter } from '../dispatch/rate-limit.ts'
import type { ApiDeps } from './deps.ts'
import { demandPayoutProof } from './payout-proof.ts'
import { presentAccountExport } from './present/account-export.ts'

/** An export reads every table; nobody needs a sixth within an hour. */
const exportsPerHour = 5

/** What a wallet does with its own account (spec §4). */
export function createAccountHandlers(deps: ApiDeps): HandlersOf<'account'> {
  const { market } = deps
  const exports = createRateLimiter(exportsPerHour, 3_600_000)
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
          'The account is anonymised. Tasks, payments and what stands on chain stay; the wallet may come back with an empty profile.',
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
      const executorId = await market.ownExecutorId(caller)
      demandPayoutProof({ wallet: caller.wallet, executorId, address }, input.message, input.signature, deps.now())
      await market.bindPayoutAddress(caller, address)
      return done({ executor_id: executorId, solana_payout_address: address })
    },
  }
}
