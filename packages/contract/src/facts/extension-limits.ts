/** How often a deadline is put off, and by how much together (decision 0237). */
export const extensionLimits = { perTask: 5, hoursInAll: 720 } as const
