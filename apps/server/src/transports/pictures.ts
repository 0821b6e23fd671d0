import type { FastifyInstance } from 'fastify'
import { noPicture, pictureName, sendPicture, type PictureLimit } from './public-picture.ts'

type Pictures = {
  /** With `:name`, the name of the picture. */
  readonly path: string
  readonly market: {
    /** The bytes behind a name; null once nobody shows them. */
    picture(name: string): Promise<Uint8Array | null>
  }
  readonly limit: PictureLimit
  readonly now: () => Date
}

/** A minute: a list shows a hundred at the most, and many may share an address. */
export const peopleAMinute = { ofAddress: 1_200, inAll: 60_000 } as const
/** A day, so that no cache shows for long what was taken down. */
const keep = 'public, max-age=86400, immutable'

/** Pictures of people: an ordinary route, no operation, open to every page as other files are. */
export function addPictures(server: FastifyInstance, { path, market, limit, now }: Pictures): void {
  server.get(path, { config: { origins: 'every' } }, async (request, reply) => {
    // The parameter of the route; always text.
    const { name = '' } = request.params as Readonly<Record<string, string>>
    limit(request, now())
    const bytes = pictureName.test(name) ? await market.picture(name) : null
    if (bytes === null) throw noPicture()
    return sendPicture(reply, { name, bytes, keep })
  })
}
