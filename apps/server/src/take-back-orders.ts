import type { StandingWarrants } from './adapters/postgres/index.ts'
import type { TakeBackOrder } from './adapters/index.ts'
import type { ProcessLog } from '@ergon/process'

export type TakeBackDeps = {
  readonly warrants: Pick<StandingWarrants, 'leaseTakenBack' | 'forget'>
  readonly takeBack: TakeBackOrder
  readonly log: Pick<ProcessLog, 'warn'>
}

const atOnce = 20

/**
 * One round over the standing orders whose grant was taken back (decision 0188): each is told to the facilitator, which
 * counts it, and forgotten when it knows. What it could not be told is told again until the order ends by itself.
 */
export async function takeBackOrders({ warrants, takeBack, log }: TakeBackDeps): Promise<number> {
  const due = await warrants.leaseTakenBack(atOnce)
  const ended = await Promise.all(
    due.map(async ({ order, ...key }) => {
      const answer = await takeBack(order, key.chainId).catch(
        (error: unknown) => ({ kind: 'open', why: error }) as const,
      )
      if (answer.kind === 'over') await warrants.forget(key)
      else
        log.warn(
          { grant: key.grantId, why: answer.why },
          'the facilitator does not know yet that an order is taken back',
        )
      return answer.kind === 'over'
    }),
  )
  return ended.filter(Boolean).length
}
