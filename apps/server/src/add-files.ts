import type { FastifyInstance } from 'fastify'
import type { ServiceDeps } from './service.ts'
import { picturePath } from './surroundings/picture-path.ts'
import { addEvidenceFiles } from './transports/evidence-files.ts'
import { addMapTiles, createMapLimits } from './transports/map-tiles.ts'
import { addPictures, peopleAMinute } from './transports/pictures.ts'
import { addPortfolioPictures, worksAMinute } from './transports/portfolio-pictures.ts'
import { createPictureLimit } from './transports/public-picture.ts'

/** What is served beside the operations and is no page: tiles of the map, evidence, pictures of people and of work. */
export function addFiles(server: FastifyInstance, deps: ServiceDeps): void {
  const { web, evidence, market, portfolioLinks, live, now } = deps
  // None where requests without a signature have no limit.
  const isLimited = (): boolean => live.rates.anonymousPerMinute > 0
  if (web !== null)
    addMapTiles(server, { tiles: web.map, limits: createMapLimits(isLimited), now: () => now().getTime() })
  if (evidence !== null) addEvidenceFiles(server, evidence, now)
  addPictures(server, { path: picturePath(':name'), market, limit: createPictureLimit(isLimited, peopleAMinute), now })
  addPortfolioPictures(server, {
    find: (pieceId, name) => market.shownPicture(pieceId, name),
    isProven: (...asked) => portfolioLinks.isProven(...asked),
    limit: createPictureLimit(isLimited, worksAMinute),
    now,
  })
}
