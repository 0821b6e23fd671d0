import type { Query } from './database.ts'

const step = 500
/** Other duties wait meanwhile. */
const mostSteps = 10

/** Runs what changes so many rows at the most, `$1`, and answers their `count`, until few are left or it is enough. */
export async function inSteps(query: Query, text: string, values: readonly unknown[] = []): Promise<void> {
  for (let steps = 0; steps < mostSteps; steps += 1) {
    const [row] = await query<{ count: number }>(text, [step, ...values])
    if ((row?.count ?? 0) < step) return
  }
}
