/** A budget in all of a day: what is counted, and the name of its count in all. */
type Named = { readonly what: string; readonly all: string }

const alike = (what: string): Named => ({ what, all: what })

/** Under these names budgets are counted, and the figures read them. Another name would begin a day anew. */
export const dayBudgets = {
  registrations: { what: 'registrations', all: 'all' },
  payments: alike('payments'),
  reports: alike('reports'),
  pictures: alike('pictures'),
  tools: alike('oauth clients'),
  portfolio_pictures: alike('portfolio pictures'),
} as const satisfies Readonly<Record<string, Named>>

/** What newcomers share of it is counted under this name. */
export const countedOfNewcomers = (what: string): string => `${what} of newcomers`
