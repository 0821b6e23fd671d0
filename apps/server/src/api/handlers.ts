import type { Handlers } from '../dispatch/handlers.ts'
import { createAccountHandlers } from './account.ts'
import { createAdminHandlers } from './admin.ts'
import { createAgentHandlers } from './agents.ts'
import { createAuthHandlers } from './auth.ts'
import { createCashOutHandlers } from './cash-outs.ts'
import { createChannelHandlers } from './channels.ts'
import type { ApiDeps } from './deps.ts'
import { createDisputeHandlers } from './disputes.ts'
import { createEscrowHandlers } from './escrow.ts'
import { createEventHandlers } from './events.ts'
import { createEvidenceHandlers } from './evidence.ts'
import { createGrantHandlers } from './grants.ts'
import { createH2aHandlers } from './h2a.ts'
import { createListingHandlers } from './listings.ts'
import { createMailHandlers } from './mail.ts'
import { createMessageHandlers } from './messages.ts'
import { createMeterHandlers } from './meters.ts'
import { createOfferHandlers } from './offers.ts'
import { createOperationHandlers } from './operations.ts'
import { createPaymentHandlers } from './payments.ts'
import { createPlaceHandlers } from './places.ts'
import { createPortfolioHandlers } from './portfolio.ts'
import { createPushHandlers } from './push.ts'
import { createQuestionHandlers } from './questions.ts'
import { createReportHandlers } from './reports.ts'
import { createReputationHandlers } from './reputation.ts'
import { createSearchHandlers } from './searches.ts'
import { createServiceHandlers } from './service.ts'
import { createStreamHandlers } from './streams.ts'
import { createSubmissionHandlers } from './submissions.ts'
import { createTaskHandlers } from './tasks.ts'
import { createTaximetroHandlers } from './taximetro.ts'
import { createUserHandlers } from './users.ts'
import { createWebhookHandlers } from './webhooks.ts'
import { createWorkerHandlers } from './workers.ts'

/** Every operation of the contract; one that is forgotten does not compile. */
export function createHandlers(deps: ApiDeps): Handlers {
  return {
    ...createTaskHandlers(deps),
    ...createSubmissionHandlers(deps),
    ...createDisputeHandlers(deps),
    ...createOfferHandlers(deps),
    ...createMessageHandlers(deps),
    ...createQuestionHandlers(deps),
    ...createWorkerHandlers(deps),
    ...createPortfolioHandlers(deps),
    ...createEscrowHandlers(deps),
    ...createPaymentHandlers(deps),
    ...createReputationHandlers(deps),
    ...createServiceHandlers(deps),
    ...createAuthHandlers(deps),
    ...createEvidenceHandlers(deps),
    ...createListingHandlers(deps),
    ...createOperationHandlers(deps.keys),
    ...createH2aHandlers(deps),
    ...createAgentHandlers(deps),
    ...createEventHandlers(deps),
    ...createAccountHandlers(deps),
    ...createCashOutHandlers(deps),
    ...createGrantHandlers(deps),
    ...createPushHandlers(deps),
    ...createMailHandlers(deps),
    ...createSearchHandlers(deps),
    ...createPlaceHandlers(deps),
    ...createReportHandlers(deps),
    ...createUserHandlers(deps),
    ...createAdminHandlers(deps),
    ...createWebhookHandlers(deps),
    ...createChannelHandlers(deps),
    ...createMeterHandlers(deps),
    ...createTaximetroHandlers(deps),
    ...createStreamHandlers(deps),
  }
}
