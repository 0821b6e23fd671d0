/** Keys of several columns; no column of ours holds a line break. */
export const keyOf = (...columns: readonly string[]): string => columns.join('\n')
