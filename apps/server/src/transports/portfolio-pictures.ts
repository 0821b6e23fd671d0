import type { FastifyInstance, FastifyRequest } from 'fastify'
import { demand } from '../dispatch/limits.ts'
import { addressKey, createRateLimiter, type RateLimiter } from '../dispatch/rate-limit.ts'
import { refusal } from '../dispatch/refusal.ts'

export type PortfolioPictures = {
  readonly find: (
    pieceId: string,
    name: string,
  ) => Promise<{ readonly bytes: Uint8Array; readonly isShown: boolean } | null>
  readonly isProven: (
    pieceId: string,
    name: string,
    proof: { readonly expires: string; readonly signature: string },
    now: Date,
  ) => boolean
  readonly limits: { readonly ofAddress: RateLimiter; readonly inAll: RateLimiter }
  readonly now: () => Date
}

/** Pictures a minute: a profile shows some dozens, and each is read from the database. */
const picturesPerMinute = { ofAddress: 300, inAll: 6_000 } as const
const pieceShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const nameShape = /^([0-9a-f]{32})\.jpg$/

/** Counters of this process; none where requests without a signature have no limit. */
export function createPictureLimits(isLimited: () => boolean): PortfolioPictures['limits'] {
  const limited = (most: number): RateLimiter => createRateLimiter(() => (isLimited() ? most : 0), 60_000)
  return { ofAddress: limited(picturesPerMinute.ofAddress), inAll: limited(picturesPerMinute.inAll) }
}

/**
 * Pictures of work on profiles: an ordinary route, no operation, open to every page as other files are. A browser asks
 * again each time, because what is taken back is gone at once (decision 0256).
 */
export function addPortfolioPictures(
  server: FastifyInstance,
  { find, isProven, limits, now }: PortfolioPictures,
): void {
  server.get('/portfolio/:piece/:file', { config: { origins: 'every' } }, async (request, reply) => {
    const { piece, name } = namedIn(request)
    const at = now().getTime()
    demand(limits.ofAddress.take(addressKey(request.ip), at), at)
    demand(limits.inAll.take('all', at), at)
    const picture = await find(piece, name)
    if (picture === null || !(picture.isShown || isProven(piece, name, proofOf(request), now()))) throw noPicture()
    return reply
      .headers({ ...guards, etag: `"${name}"`, 'cache-control': picture.isShown ? 'public, no-cache' : 'no-store' })
      .header('content-type', 'image/jpeg')
      .send(Buffer.from(picture.bytes))
  })
}

const guards = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
}

const noPicture = () => refusal('NOT_FOUND', {}, 'There is no such picture.')

/** @throws NOT_FOUND for an address that no picture could have */
function namedIn({ params }: FastifyRequest): { readonly piece: string; readonly name: string } {
  // The parameters of the route; always text.
  const { piece = '', file = '' } = params as Readonly<Record<string, string>>
  const name = nameShape.exec(file)?.[1]
  if (name === undefined || !pieceShape.test(piece)) throw noPicture()
  return { piece, name }
}

function proofOf(request: FastifyRequest): { readonly expires: string; readonly signature: string } {
  const target = request.raw.url ?? ''
  const query = new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?') + 1) : '')
  return { expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' }
}
