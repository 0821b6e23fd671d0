import { httpFigures, poolFigures, processFigures, sourceFigures, type Figures } from '@ergon/process'

/** What `/metrics` tells beside what every service does. */
export const ownFigures = {
  ergon_ledger_up: { type: 'gauge', says: '1 while a node of the cluster can be believed.' },
  ergon_channels: {
    type: 'gauge',
    says: 'Channels that are not over, by what they are doing; counted up to 1000 in all.',
    labels: ['status'],
  },
  ergon_channels_late_seconds: {
    type: 'gauge',
    says: 'How long the first of them has waited to be looked at, beyond its time; 0 where none waits.',
  },
  ergon_calls_held: { type: 'gauge', says: 'Calls whose price is held and not charged yet, counted up to 1000.' },
  ergon_budget_used: {
    type: 'gauge',
    says: 'What was used today (UTC) of a budget: openings and top-ups whose fees the operator pays.',
    labels: ['budget'],
  },
  ergon_budget_limit: { type: 'gauge', says: 'The most of it a day.', labels: ['budget'] },
} as const satisfies Figures

/** Everything that the gateway tells; the reference page is printed from it. */
export const figures = { ...sourceFigures, ...ownFigures, ...httpFigures, ...poolFigures, ...processFigures } as const
