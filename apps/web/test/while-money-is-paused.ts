import type { Stage } from './browser.ts'

/** The process that moves money is paused meanwhile: nothing reaches the chain. */
export async function whileMoneyIsPaused(
  { constellation }: Pick<Stage, 'constellation'>,
  what: () => Promise<void>,
): Promise<void> {
  const { facilitator } = constellation.record().pids
  if (facilitator === undefined) throw new Error('the constellation runs without its facilitator')
  process.kill(facilitator, 'SIGSTOP')
  try {
    await what()
  } finally {
    process.kill(facilitator, 'SIGCONT')
  }
}
