import { formatUsd, MarketError, splitFee, type Amount, type Market, type TaskView } from '@ergon/core'
import { cardImage, type SocialCard } from './web/social-card.ts'

/** Null for a task that not everybody may see. */
export async function cardOfTask(
  market: Pick<Market, 'readTask'>,
  serviceUrl: string,
  taskId: string,
): Promise<SocialCard | null> {
  try {
    return socialCardOf(await market.readTask({ kind: 'anonymous' }, taskId), serviceUrl)
  } catch (error) {
    if (error instanceof MarketError) return null
    throw error
  }
}

function socialCardOf(task: Pick<TaskView, 'id' | 'title' | 'instructions' | 'bounty'>, serviceUrl: string) {
  const { gross, payout } = splitFee(task.bounty)
  return {
    title: `${dollars(gross)} · ${task.title}`,
    description: `${dollars(payout)} of it goes to the worker, on chain. ${task.instructions}`,
    url: `${serviceUrl}/tasks/${task.id}`,
    imageUrl: `${serviceUrl}${cardImage}`,
  }
}

const money = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
})

// What is formatted is exact decimal text, so nothing is rounded on the way.
const dollars = (amount: Amount): string => money.format(formatUsd(amount) as `${number}`)
