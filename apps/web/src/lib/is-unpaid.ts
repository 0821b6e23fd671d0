import type { Output } from '@ergon/sdk'

/** Over, and nobody was paid: what was set aside is back, or on its way. */
export const isUnpaid = ({ status, payment_tx: paid }: Pick<Output<'tasks.get'>, 'status' | 'payment_tx'>): boolean =>
  (status === 'cancelled' || status === 'expired') && paid === null
