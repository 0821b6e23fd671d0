import type { Block, Report } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { demand } from '../dispatch/limits.ts'
import { createRateLimiter } from '../dispatch/rate-limit.ts'
import type { ApiDeps } from './deps.ts'
import { demandPayoutProof } from './payout-proof.ts'
import { presentAccountExport } from './present/account-export.ts'
import { instant } from './present/instant.ts'
import { pageFields, pageRequest } from './present/page.ts'

type AccountOperations =
  | 'account.export'
  | 'account.remove'
  | 'account.payboxLink'
  | 'account.unlinkPaybox'
  | 'account.bindSolanaPayout'
  | 'agents.exchangeKey'
  | 'reports.create'
  | 'reports.list'
  | 'users.block'
  | 'users.unblock'
  | 'users.blocked'

/** An export reads every table; nobody needs a sixth within an hour. */
const exportsPerHour = 5

/** What a wallet does with its own account (spec §4). */
export function createAccountHandlers(deps: ApiDeps): HandlersOf<AccountOperations> {
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
    // No signer can be linked where the rail is not wired, so there is nothing to unlink either.
    'account.payboxLink': () => done({ status: 'unlinked' as const, enabled: false }),
    'account.unlinkPaybox': () => done({ deleted: false, status: 'unlinked' as const }),
    'account.bindSolanaPayout': async ({ caller }, input) => {
      const address = input.solana_payout_address
      const executorId = await market.ownExecutorId(caller)
      demandPayoutProof({ wallet: caller.wallet, executorId, address }, input.message, input.signature, deps.now())
      await market.bindPayoutAddress(caller, address)
      return done({ executor_id: executorId, solana_payout_address: address })
    },
    'agents.exchangeKey': async ({ request }, input) => {
      const { token, agentId, tier, expiresAt } = await deps.exchangeAgentKey(input.api_key, request.ip)
      return done({ token, agent_id: agentId, tier, expires_at: expiresAt.toISOString() })
    },
    'reports.create': async ({ caller }, input) =>
      done(
        presentReport(
          await market.report(caller, {
            target: input.target,
            targetId: input.target_id,
            reason: input.reason,
            note: input.note ?? null,
          }),
        ),
      ),
    'reports.list': async ({ caller }, input) => {
      const page = await market.reports(caller, pageRequest(input))
      return done({ reports: page.rows.map(presentReport), ...pageFields(page) })
    },
    'users.block': async ({ caller }, input) =>
      done(presentBlock(await market.block(caller, input.wallet.toLowerCase()))),
    'users.unblock': async ({ caller }, input) => {
      const wallet = input.wallet.toLowerCase()
      return done({ wallet, removed: await market.unblock(caller, wallet) })
    },
    'users.blocked': async ({ caller }, input) => {
      const page = await market.blocked(caller, pageRequest(input))
      return done({ blocked: page.rows.map(presentBlock), ...pageFields(page) })
    },
  }
}

function presentReport({ id, target, targetId, reason, note, createdAt }: Report) {
  return { id, target, target_id: targetId, reason, note, created_at: instant(createdAt) }
}

function presentBlock({ id, blocked, createdAt }: Block) {
  return { id, wallet: blocked, created_at: instant(createdAt) }
}
