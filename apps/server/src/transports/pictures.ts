import type { FastifyInstance } from 'fastify'
import { demand } from '../dispatch/limits.ts'
import { addressKey, createRateLimiter } from '../dispatch/rate-limit.ts'
import { refusal } from '../dispatch/refusal.ts'

type Pictures = {
  /** With `:name`, the name of the picture. */
  readonly path: string
  readonly market: {
    /** The bytes that a name stands for; null once nobody shows them. */
    picture(name: string): Promise<Uint8Array | null>
  }
  readonly live: { readonly rates: { readonly anonymousPerMinute: number } }
  readonly now: () => Date
}

/** Pictures a minute: a list shows a hundred at the most, and many may share an address. */
const perMinute = { ofAddress: 1_200, inAll: 60_000 } as const
const nameForm = /^[0-9a-f]{32}$/
/** Another picture has another name. A day, so that no cache shows for long what was taken down. */
const headers = {
  'cache-control': 'public, max-age=86400, immutable',
  'content-type': 'image/jpeg',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** Pictures of people: an ordinary route, no operation, open to every page as other files are. */
export function addPictures(server: FastifyInstance, { path, market, live, now }: Pictures): void {
  // None where requests without a signature have no limit.
  const limiter = (most: number) => createRateLimiter(() => (live.rates.anonymousPerMinute > 0 ? most : 0), 60_000)
  const [ofAddress, inAll] = [limiter(perMinute.ofAddress), limiter(perMinute.inAll)]
  server.get(path, { config: { origins: 'every' } }, async (request, reply) => {
    // The parameter of the route; always text.
    const { name = '' } = request.params as Readonly<Record<string, string>>
    const at = now().getTime()
    demand(ofAddress.take(addressKey(request.ip), at), at)
    demand(inAll.take('all', at), at)
    const bytes = nameForm.test(name) ? await market.picture(name) : null
    if (bytes === null) throw refusal('NOT_FOUND', {}, 'Nobody shows this picture.')
    return reply.headers({ ...headers, etag: `"${name}"` }).send(bytes)
  })
}
