import { addressKey } from '@ergon/protocols'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createCrowdLimiter, type CrowdLimiter } from '../dispatch/crowd-limiter.ts'
import { demand } from '../dispatch/limits.ts'
import { refusal } from '../dispatch/refusal.ts'
import { acceptsGzip } from '../web/content-coding.ts'
import { mapLayers, type MapTiles } from '../web/map-tiles.ts'
import { mostZoom, type TileArchive } from '../web/tile-archive.ts'

export type MapLimits = Pick<CrowdLimiter, 'take'>
export type MapRoutes = {
  readonly tiles: MapTiles
  readonly limits: MapLimits
  readonly now: () => number
}

/** Tiles a minute: a person who looks around by hand takes some hundred, and many may share an address. */
const tilesPerMinute = { ofAddress: 3_000, inAll: 60_000 } as const
/** Unpacked for who reads no gzip, which no browser is. */
const mostUnpackedBytes = 16_777_216
const year = 'public, max-age=31536000, immutable'
const whole = /^(?:0|[1-9]\d{0,7})$/

/** Counters of this process; none where requests without a signature have no limit. */
export function createMapLimits(isLimited: () => boolean): MapLimits {
  return createCrowdLimiter(tilesPerMinute, { windowMs: 60_000, isLimited, kept: 0 })
}

/** What the map is drawn from: ordinary routes, no operations, open to every page as other files are. */
export function addMapTiles(server: FastifyInstance, { tiles, limits, now }: MapRoutes): void {
  const info = JSON.stringify(tiles.info)
  const infoTag = tagOf(Buffer.from(info))
  server.get('/map/info', { config: { origins: 'every' } }, (_request, reply) =>
    reply
      .headers({ etag: infoTag, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
      .header('content-type', 'application/json; charset=utf-8')
      .send(info),
  )
  server.get('/map/:layer/:z/:x/:y', { config: { origins: 'every' } }, async (request, reply) => {
    const place = placeOf(request)
    const archive = place === undefined ? undefined : tiles.archives[place.layer]
    if (place === undefined || archive === undefined) throw refusal('NOT_FOUND', {}, 'The map has no such tile.')
    const at = now()
    demand(limits.take(addressKey(request.ip), at), at)
    const bytes = await archive.tile(place.z, place.x, place.y)
    reply.headers({
      // An address without the version of what is served now may mean other bytes tomorrow.
      'cache-control': versionOf(request) === archive.version ? year : 'no-cache',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    })
    return bytes === undefined ? reply.code(204).send() : sendTile(request, reply, archive, bytes)
  })
}

async function sendTile(
  request: FastifyRequest,
  reply: FastifyReply,
  { coding }: TileArchive,
  bytes: Buffer,
): Promise<FastifyReply> {
  const isPacked = coding === 'gzip' && acceptsGzip(request.headers['accept-encoding'])
  const body = coding === 'identity' || isPacked ? bytes : await unpack(bytes, { maxOutputLength: mostUnpackedBytes })
  return reply
    .headers({ etag: tagOf(body), 'content-type': 'application/vnd.mapbox-vector-tile' })
    .headers(isPacked ? { 'content-encoding': 'gzip' } : {})
    .send(body)
}

const unpack = promisify(gunzip)
const tagOf = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

/** Which tile an address names; undefined where it names none that a map could have. */
function placeOf({ params }: FastifyRequest) {
  // The parameters of the route; always text.
  const { layer, z = '', x = '', y = '' } = params as Readonly<Record<string, string>>
  const known = mapLayers.find((one) => one === layer)
  if (known === undefined || ![z, x, y].every((one) => whole.test(one))) return undefined
  const place = { layer: known, z: Number(z), x: Number(x), y: Number(y) }
  const side = 2 ** place.z
  return place.z <= mostZoom && place.x < side && place.y < side ? place : undefined
}

function versionOf(request: FastifyRequest): string | null {
  const target = request.raw.url ?? ''
  return new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?') + 1) : '').get('v')
}
