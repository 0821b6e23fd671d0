import { ask } from './ask.ts'
import type { Target } from './target.ts'

/** What the facilitator says it counted today, in gas. @throws where it counts nothing: such gas has no bound */
export async function countedGas({ facilitatorUrl }: Pick<Target, 'facilitatorUrl'>): Promise<number> {
  const { body } = await ask(facilitatorUrl, { method: 'GET', target: '/health' })
  const gas = body['gas']
  const spent = typeof gas === 'object' && gas !== null && 'spent' in gas ? gas.spent : undefined
  if (typeof spent !== 'number') throw new Error(`the facilitator counts no gas: ${JSON.stringify(body)}`)
  return spent
}
