import { claimLeaseMs, picturesPerDay, reportsPerDay } from '@ergon/core'
import type { Pool } from 'pg'
import {
  createAccountProofs,
  createApprovalBudgets,
  createBudgetsToday,
  createDayBudget,
  createIsProven,
  createIsProvenWorker,
  createKeyStore,
  createNonceStore,
  createOAuthStore,
  createOfferRetention,
  createPaymentBudget,
  createPortfolioBudget,
  createRegistrationBudget,
  createSessionStore,
  createStandingWarrants,
  createUploads,
  type EpochWatch,
} from './adapters/postgres/index.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { openLinkBook } from './wire-linked-signer.ts'

type Base = {
  readonly pool: Pool
  readonly epoch: Pick<EpochWatch, 'wentBackAt'>
  readonly config: Pick<Config, 'idempotencyHours' | 'registrations' | 'payments' | 'uploads'>
  readonly secrets: Pick<Secrets, 'secret'>
}

export type Books = ReturnType<typeof openBooks>

/** What is counted and kept beside the market: keys, nonces, sessions, accounts, budgets, uploads. */
export function openBooks({ pool, epoch, config, secrets }: Base) {
  const isProven = createIsProven(pool)
  return {
    isProven,
    budgetsToday: createBudgetsToday(pool, config),
    keys: createKeyStore(pool, { leaseMs: claimLeaseMs, keepMs: config.idempotencyHours * 3_600_000 }),
    nonces: createNonceStore(pool, epoch),
    sessions: createSessionStore(pool),
    accounts: createAccountProofs(pool),
    approvals: createApprovalBudgets(pool),
    warrants: createStandingWarrants(pool),
    offers: createOfferRetention(pool),
    links: openLinkBook(pool, secrets.secret),
    registrations: createRegistrationBudget(pool, config.registrations, isProven),
    payments: createPaymentBudget(pool, config.payments, isProven),
    uploads: createUploads(pool, config.uploads, createIsProvenWorker(pool)),
    pictures: createDayBudget(
      pool,
      {
        budget: 'pictures',
        limits: picturesPerDay,
        refusal: (who) => `Too many pictures were set ${who} today. The one before is still shown.`,
      },
      isProven,
    ),
    reports: createDayBudget(
      pool,
      {
        budget: 'reports',
        limits: reportsPerDay,
        refusal: (who) => `Too many reports were made ${who} today. Those before are read.`,
      },
      isProven,
    ),
    portfolio: createPortfolioBudget(pool),
    oauth: createOAuthStore(pool),
  }
}
