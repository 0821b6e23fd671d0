import type { FastifyInstance, FastifyRequest } from 'fastify'
import { noPicture, pictureName, sendPicture, type PictureLimit } from './public-picture.ts'

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
  readonly limit: PictureLimit
  readonly now: () => Date
}

/** A minute: a profile shows some dozens, and each may have 300 kB. */
export const worksAMinute = { ofAddress: 300, inAll: 6_000 } as const
const pieceShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Pictures of work on profiles: an ordinary route, no operation, open to every page as other files are. A browser asks
 * again each time, because what is taken back is gone at once (decision 0256).
 */
export function addPortfolioPictures(server: FastifyInstance, { find, isProven, limit, now }: PortfolioPictures): void {
  server.get('/portfolio/:piece/:file', { config: { origins: 'every' } }, async (request, reply) => {
    const { piece, name } = namedIn(request)
    limit(request, now())
    const picture = await find(piece, name)
    if (picture === null || !(picture.isShown || isProven(piece, name, proofOf(request), now()))) throw noPicture()
    return sendPicture(reply, { name, bytes: picture.bytes, keep: picture.isShown ? 'public, no-cache' : 'no-store' })
  })
}

/** @throws NOT_FOUND for an address that no picture could have */
function namedIn({ params }: FastifyRequest): { readonly piece: string; readonly name: string } {
  // The parameters of the route; always text.
  const { piece = '', file = '' } = params as Readonly<Record<string, string>>
  const name = file.endsWith('.jpg') ? file.slice(0, -'.jpg'.length) : ''
  if (!pictureName.test(name) || !pieceShape.test(piece)) throw noPicture()
  return { piece, name }
}

function proofOf(request: FastifyRequest): { readonly expires: string; readonly signature: string } {
  const target = request.raw.url ?? ''
  const query = new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?') + 1) : '')
  return { expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' }
}
