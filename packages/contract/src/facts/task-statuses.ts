/** In which statuses its publisher can end a task, or put its deadline off. */
export const cancellableStatuses = ['published', 'accepted'] as const
export const extendableStatuses = ['published', 'accepted', 'in_progress'] as const

/** From the assignment to the end: there are two sides, which can settle between themselves. */
export const settleableStatuses = ['accepted', 'in_progress', 'submitted', 'verifying', 'disputed'] as const
