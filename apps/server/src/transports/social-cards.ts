import { addressKey } from '@ergon/protocols'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createCrowdLimiter, type CrowdLimiter } from '../dispatch/crowd-limiter.ts'
import { drawsPreviews, socialPage, taskOfPath, type SocialCard } from '../web/social-card.ts'

export type SocialCards = {
  /** Null for a task that not everybody may see. */
  readonly cardOf: (taskId: string) => Promise<SocialCard | null>
  readonly limits: Pick<CrowdLimiter, 'take'>
  readonly now: () => number
}

/** Cards a minute: each reads one row. Who asks for more gets the page as it is. */
const cardsPerMinute = { ofAddress: 60, inAll: 1_200 } as const

export function createCardLimits(isLimited: () => boolean): SocialCards['limits'] {
  return createCrowdLimiter(cardsPerMinute, { windowMs: 60_000, isLimited, kept: 0 })
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
  if (!cards.limits.take(addressKey(request.ip), at).allowed) {
    otherwise()
    return true
  }
  cards.cardOf(taskId).then((card) => {
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
