import { expect } from 'vitest'

/** An error of the catalogue with this code, and with these details where they are given. */
export const refused = (code: string, details: unknown = expect.anything()) =>
  expect.objectContaining({ code, details }) as Error
