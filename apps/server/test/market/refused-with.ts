import { expect } from 'vitest'

/** An error of the catalogue with this code, whose details hold at least these. */
export const refusedWith = (code: string, details: Record<string, unknown> = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) as unknown }) as Error
