import { httpFigures, poolFigures, processFigures, sourceFigures, type Figures } from '@ergon/process'

/** What `/metrics` tells beside what every service does. Each alarm of the guide for operators reads one of these. */
export const ownFigures = {
  ergon_ready: { type: 'gauge', says: '1 while /readyz answers 200, 0 while it answers 503.' },
  ergon_alarm: {
    type: 'gauge',
    says: '1 for each alarm that /readyz names as a reason, with its network where it has one; 0 for the others.',
    labels: ['alarm', 'network'],
  },
  ergon_database_silent_seconds: { type: 'gauge', says: 'Since the database last answered.' },
  ergon_database_unwritten_seconds: { type: 'gauge', says: 'Since this server last wrote to it.' },
  ergon_clock_ahead_seconds: {
    type: 'gauge',
    says: 'How far the clock of this machine is ahead of the one of the database, which all servers share.',
  },
  ergon_events_late_seconds: { type: 'gauge', says: 'Since the stream of events was last read.' },
  ergon_facilitator_up: { type: 'gauge', says: '1 while the facilitator answers this server.' },
  ergon_chain_up: { type: 'gauge', says: '1 while a node of the network answers this server.', labels: ['network'] },
  ergon_network_closed: {
    type: 'gauge',
    says: '1 while the operator lets nothing new begin on the network, 0 while it takes jobs.',
    labels: ['network'],
  },
  ergon_chain_lag_blocks: {
    type: 'gauge',
    says: 'Blocks of the network that were not yet compared with the books.',
    labels: ['network'],
  },
  ergon_chain_lag_seconds: { type: 'gauge', says: 'How much of its time they are.', labels: ['network'] },
  ergon_chain_head_age_seconds: {
    type: 'gauge',
    says: 'Age of the newest block that was seen of the network.',
    labels: ['network'],
  },
  ergon_chain_read_age_seconds: { type: 'gauge', says: 'Since the network was last read.', labels: ['network'] },
  ergon_settlements_in_flight: {
    type: 'gauge',
    says: 'Payments and cash-outs that are being made.',
    labels: ['network'],
  },
  ergon_settlements_in_doubt: {
    type: 'gauge',
    says: 'Of which nobody knows yet how they ended.',
    labels: ['network'],
  },
  ergon_settlements_oldest_seconds: {
    type: 'gauge',
    says: 'Age of the oldest payment or cash-out that has not ended; 0 without one.',
    labels: ['network'],
  },
  ergon_ledger_balanced: { type: 'gauge', says: '1 while the books add up to zero.' },
  ergon_money_findings: {
    type: 'gauge',
    says: 'Differences between the books and the chains that are still there.',
    labels: ['network', 'kind'],
  },
  ergon_money_findings_oldest_seconds: { type: 'gauge', says: 'Since the oldest of them was seen; 0 without one.' },
  ergon_money_audit_age_seconds: { type: 'gauge', says: 'Since books and chains were last compared.' },
  ergon_queue_waiting: {
    type: 'gauge',
    says: 'What waits to be gone on with, counted up to 1000: deliveries of webhooks, ratings, fees to be moved to the treasury, settlements that a receipt has to prove, submissions to be verified, timers of tasks, notices to browsers and by mail. What waits for a chain has its network, or `unserved`.',
    labels: ['queue', 'network'],
  },
  ergon_queue_late_seconds: {
    type: 'gauge',
    says: 'How long the first of them has waited beyond its time; 0 where none waits.',
    labels: ['queue', 'network'],
  },
  ergon_budget_used: {
    type: 'gauge',
    says: 'What was used today (UTC) of a budget of this deployment, and of what newcomers share of it.',
    labels: ['budget'],
  },
  ergon_budget_limit: {
    type: 'gauge',
    says: 'The most of it a day; left out where there is no limit.',
    labels: ['budget'],
  },
  ergon_uploads_bytes: { type: 'gauge', says: 'What files of evidence take.' },
  ergon_approval_budget_unavailable_total: {
    type: 'counter',
    says: 'Approvals by tokens that were refused because they could not be counted.',
  },
  ergon_http_refusals_total: {
    type: 'counter',
    says: 'Answers with an error code of the catalogue.',
    labels: ['code'],
  },
} as const satisfies Figures

/** Everything that the server tells; the reference page is printed from it. */
export const figures = { ...sourceFigures, ...ownFigures, ...httpFigures, ...poolFigures, ...processFigures } as const
