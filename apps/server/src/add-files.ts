import type { FastifyInstance } from 'fastify'
import type { ServiceDeps } from './service.ts'
import { picturePath } from './surroundings/picture-path.ts'
import { addEvidenceFiles } from './transports/evidence-files.ts'
import { addMapTiles, createMapLimits } from './transports/map-tiles.ts'
import { addPictures } from './transports/pictures.ts'
import { addPortfolioPictures, createPictureLimits } from './transports/portfolio-pictures.ts'

/** What is served beside the operations and is no page: tiles of the map, evidence, pictures of people and of work. */
export function addFiles(server: FastifyInstance, deps: ServiceDeps): void {
  const { web, evidence, market, portfolioLinks, live, now } = deps
  // None where requests without a signature have no limit.
  const isLimited = (): boolean => live.rates.anonymousPerMinute > 0
  if (web !== null)
    addMapTiles(server, { tiles: web.map, limits: createMapLimits(isLimited), now: () => now().getTime() })
  if (evidence !== null) addEvidenceFiles(server, evidence, now)
  addPictures(server, { ...deps, path: picturePath(':name') })
  addPortfolioPictures(server, {
    find: (pieceId, name) => market.shownPicture(pieceId, name),
    isProven: (...asked) => portfolioLinks.isProven(...asked),
    limits: createPictureLimits(isLimited),
    now,
  })
}
