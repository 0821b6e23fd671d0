import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { pageFields, pageRequest } from './present/page.ts'
import { presentPiece, presentShown } from './present/portfolio.ts'

/** Work that is shown on profiles by consent of both sides (decision 0256). */
export function createPortfolioHandlers({
  market,
  portfolioLinks: links,
  now,
}: Pick<ApiDeps, 'market' | 'portfolioLinks' | 'now'>): HandlersOf<'portfolio'> {
  return {
    'portfolio.list': async (_call, { executor_id, ...paging }) => {
      const found = await market.workerPieces(executor_id, pageRequest(paging))
      return done({ works: found.rows.map((piece) => presentShown(piece, links)), ...pageFields(found) })
    },
    'portfolio.read': async ({ caller }, { task_id }) =>
      done(presentPiece(await market.readPiece(caller, task_id), links, now())),
    'portfolio.ask': async ({ caller }, { task_id, pictures }) =>
      done(presentPiece(await market.askToShow(caller, task_id, pictures), links, now())),
    'portfolio.answer': async ({ caller }, { task_id, allow }) =>
      done(presentPiece(await market.answerAsk(caller, task_id, allow), links, now())),
    'portfolio.takeBack': async ({ caller }, { task_id }) =>
      done(presentPiece(await market.takeWorkBack(caller, task_id), links, now())),
  }
}
