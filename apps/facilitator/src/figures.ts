import { httpFigures, poolFigures, processFigures, sourceFigures, type Figures } from '@ergon/process'

/** What `/health` may name as a reason of the process itself. */
export const ownAlarms = ['database_silent', 'connections_refused'] as const

/** What `/health` may name as a reason, each with its network. */
export const alarms = ['gas_low', 'sol_low', 'out_of_sol', 'node_silent', 'nodes_missing'] as const

/** What `/metrics` tells beside what every service does. */
export const ownFigures = {
  ergon_alarm: {
    type: 'gauge',
    says: '1 for each alarm that /health names as a reason, 0 for the others.',
    labels: ['alarm', 'network'],
  },
  ergon_gas_balance: {
    type: 'gauge',
    says: 'What the account that pays for transactions holds, in units of the native coin; left out while no node tells.',
    labels: ['network'],
  },
  ergon_nodes: { type: 'gauge', says: 'Nodes of the network in the settings.', labels: ['network'] },
  ergon_nodes_answering: { type: 'gauge', says: 'How many of them answered last.', labels: ['network'] },
  ergon_orders_waiting: { type: 'gauge', says: 'Orders that are not yet begun with.', labels: ['network'] },
  ergon_orders_under_way: {
    type: 'gauge',
    says: 'Orders that were written and are followed to their receipts.',
    labels: ['network'],
  },
  ergon_intents_open: {
    type: 'gauge',
    says: 'Transactions in the database whose end is not known, counted up to 1000.',
    labels: ['network'],
  },
  ergon_intents_oldest_seconds: {
    type: 'gauge',
    says: 'Age of the oldest of them; 0 without one.',
    labels: ['network'],
  },
  ergon_budget_used: {
    type: 'gauge',
    says: 'What was used today (UTC) of a budget: gas of identities and ratings, gas of payments, lamports of payments on Solana.',
    labels: ['budget'],
  },
  ergon_budget_limit: {
    type: 'gauge',
    says: 'The most of it a day; left out where there is no limit.',
    labels: ['budget'],
  },
} as const satisfies Figures

/** Everything that the facilitator tells; the reference page is printed from it. */
export const figures = { ...sourceFigures, ...ownFigures, ...httpFigures, ...poolFigures, ...processFigures } as const
