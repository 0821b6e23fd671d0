import { addressKey } from '@ergon/protocols'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createCrowdLimiter } from '../dispatch/crowd-limiter.ts'
import { demand } from '../dispatch/limits.ts'
import { refusal, type Refusal } from '../dispatch/refusal.ts'

/** Pictures of people and of work are files of anybody's, read from the database: one way to limit and to send them. */

/** Throws RATE_LIMITED once an address, or all of them, asked for as many as a minute takes. */
export type PictureLimit = (request: FastifyRequest, now: Date) => void

/** Counters of this process; none while requests without a signature have no limit. */
export function createPictureLimit(
  isLimited: () => boolean,
  perMinute: { readonly ofAddress: number; readonly inAll: number },
): PictureLimit {
  const limiter = createCrowdLimiter(perMinute, { windowMs: 60_000, isLimited, kept: 0 })
  return ({ ip }, now) => {
    const at = now.getTime()
    demand(limiter.take(addressKey(ip), at), at)
  }
}

/** The name is the hash of the bytes: another picture has another name, and its tag. */
export const pictureName = /^[0-9a-f]{32}$/

/** The bytes came from a parser of ours; a browser is still to take them for nothing but a picture. */
export function sendPicture(
  reply: FastifyReply,
  { name, bytes, keep }: { readonly name: string; readonly bytes: Uint8Array; readonly keep: string },
): FastifyReply {
  return reply
    .headers({
      'cache-control': keep,
      'content-type': 'image/jpeg',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      etag: `"${name}"`,
    })
    .send(Buffer.from(bytes))
}

export const noPicture = (): Refusal => refusal('NOT_FOUND', {}, 'Nobody shows this picture.')
