import { formatUsd, MarketError, splitFee, type Market, type TaskView } from '@ergon/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressKey, createRateLimiter, type RateLimiter } from '../dispatch/rate-limit.ts'
import { cardImage, drawsPreviews, socialPage, taskOfPath, type SocialCard } from '../web/social-card.ts'

export type SocialCards = {
  readonly market: Pick<Market, 'readTask'>
  /** Where the app is served, without a slash at its end. */
  readonly serviceUrl: string
  readonly limits: { readonly ofAddress: RateLimiter; readonly inAll: RateLimiter }
  readonly now: () => number
}

/** Cards a minute: each reads one row. Who asks for more gets the page as it is. */
const cardsPerMinute = { ofAddress: 60, inAll: 1_200 } as const

export function createCardLimits(isLimited: () => boolean): SocialCards['limits'] {
  const limited = (most: number): RateLimiter => createRateLimiter(() => (isLimited() ? most : 0), 60_000)
  return { ofAddress: limited(cardsPerMinute.ofAddress), inAll: limited(cardsPerMinute.inAll) }
}

/** Answers a program that draws the preview of a link to a public task; false leaves the request alone. */
export function answerCard(
  cards: SocialCards,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  otherwise: () => void,
): boolean {
  const taskId = drawsPreviews(request.headers['user-agent']) ? taskOfPath(path) : null
  if (taskId === null) return false
  const at = cards.now()
  const mayRead =
    cards.limits.ofAddress.take(addressKey(request.ip), at).allowed && cards.limits.inAll.take('all', at).allowed
  if (!mayRead) {
    otherwise()
    return true
  }
  cardOf(cards, taskId).then((card) => {
    if (card === null) otherwise()
    else void reply.headers(headers).send(request.method === 'HEAD' ? undefined : socialPage(card))
  }, otherwise)
  return true
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, max-age=300',
  'content-security-policy': "default-src 'none'",
  vary: 'User-Agent',
  'x-content-type-options': 'nosniff',
}

/** Null for a task that not everybody may see. */
async function cardOf({ market, serviceUrl }: SocialCards, taskId: string): Promise<SocialCard | null> {
  try {
    return socialCardOf(await market.readTask({ kind: 'anonymous' }, taskId), serviceUrl)
  } catch (error) {
    if (error instanceof MarketError) return null
    throw error
  }
}

export function socialCardOf(task: Pick<TaskView, 'id' | 'title' | 'instructions' | 'bounty'>, serviceUrl: string) {
  const { gross, payout } = splitFee(task.bounty)
  return {
    title: `$${formatUsd(gross)} · ${task.title}`,
    description: `$${formatUsd(payout)} of it goes to the worker, on chain. ${task.instructions}`,
    url: `${serviceUrl}/tasks/${task.id}`,
    imageUrl: `${serviceUrl}${cardImage}`,
  }
}
