/** Each reading of an arbiter leaves a line in the audit log: its page reads once. */
export const readOnce = { staleTime: Number.POSITIVE_INFINITY } as const
