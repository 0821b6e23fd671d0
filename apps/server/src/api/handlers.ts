import type { Handlers } from '../dispatch/handlers.ts'
import { createAccountHandlers } from './account.ts'
import { createAdminHandlers } from './admin.ts'
import { createDecisionHandlers } from './decisions.ts'
import type { ApiDeps } from './deps.ts'
import { createDiscoveryHandlers } from './discovery.ts'
import { createEventHandlers } from './events.ts'
import { createEvidenceHandlers } from './evidence.ts'
import { createPlaceHandlers } from './places.ts'
import { createListingHandlers } from './listings.ts'
import { createDisputeHandlers } from './disputes.ts'
import { createOperationHandlers } from './operation-lookup.ts'
import { createMoneyReadHandlers } from './money-reads.ts'
import { createPaymentHandlers } from './payments.ts'
import { createPeopleHandlers } from './people.ts'
import { createH2aHandlers } from './h2a.ts'
import { createRateHandlers } from './rates.ts'
import { createServiceHandlers } from './service.ts'
import { createSessionHandlers } from './sessions.ts'
import { createStandingHandlers } from './standing.ts'
import { createTaskHandlers } from './tasks.ts'
import { createWebhookHandlers } from './webhooks.ts'

/** Every operation of the contract; one that is forgotten does not compile. */
export function createHandlers(deps: ApiDeps): Handlers {
  return {
    ...createTaskHandlers(deps),
    ...createDecisionHandlers(deps),
    ...createPeopleHandlers(deps),
    ...createPaymentHandlers(deps),
    ...createMoneyReadHandlers(deps),
    ...createAccountHandlers(deps),
    ...createAdminHandlers(deps),
    ...createDisputeHandlers(deps),
    ...createServiceHandlers(deps),
    ...createSessionHandlers(deps),
    ...createH2aHandlers(deps),
    ...createListingHandlers(deps),
    ...createStandingHandlers(deps),
    ...createRateHandlers(deps),
    ...createDiscoveryHandlers(deps),
    ...createOperationHandlers(deps.keys),
    ...createEventHandlers(deps),
    ...createPlaceHandlers(deps),
    ...createEvidenceHandlers(deps),
    ...createWebhookHandlers(deps),
  }
}
