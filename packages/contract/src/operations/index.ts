import type { Operation } from '../operation.ts'
import { account } from './account.ts'
import { admin } from './admin.ts'
import { agents } from './agents.ts'
import { auth } from './auth.ts'
import { cashOuts } from './cash-outs.ts'
import { channels } from './channels.ts'
import { disputes } from './disputes.ts'
import { escrow } from './escrow.ts'
import { events } from './events.ts'
import { evidence } from './evidence.ts'
import { grants } from './grants.ts'
import { h2a } from './h2a.ts'
import { listings } from './listings.ts'
import { mail } from './mail.ts'
import { messages } from './messages.ts'
import { meters } from './meters.ts'
import { offers } from './offers.ts'
import { operationLookup } from './operations.ts'
import { payments } from './payments.ts'
import { places } from './places.ts'
import { portfolio } from './portfolio.ts'
import { push } from './push.ts'
import { questions } from './questions.ts'
import { reports } from './reports.ts'
import { reputation } from './reputation.ts'
import { searches } from './searches.ts'
import { service } from './service.ts'
import { streams } from './streams.ts'
import { submissions } from './submissions.ts'
import { tasks } from './tasks.ts'
import { taximetro } from './taximetro.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'
import { workers } from './workers.ts'

/**
 * Every operation by its dotted name; each file holds those of one prefix. Handlers, routes, documents and clients are
 * derived from this record.
 */
export const operations = {
  ...tasks,
  ...submissions,
  ...disputes,
  ...offers,
  ...messages,
  ...questions,
  ...workers,
  ...portfolio,
  ...escrow,
  ...payments,
  ...reputation,
  ...service,
  ...auth,
  ...evidence,
  ...listings,
  ...operationLookup,
  ...h2a,
  ...agents,
  ...events,
  ...account,
  ...cashOuts,
  ...push,
  ...mail,
  ...searches,
  ...places,
  ...grants,
  ...reports,
  ...users,
  ...admin,
  ...webhooks,
  ...channels,
  ...meters,
  ...taximetro,
  ...streams,
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof operations
export type Operations = typeof operations
