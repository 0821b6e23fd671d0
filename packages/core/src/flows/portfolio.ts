import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { Page, PageRequest } from '../page.ts'
import {
  acceptedWork,
  chosenPictures,
  isSameAsk,
  mayAsk,
  notOpen,
  pictureChoices,
  stateAfterAnswer,
  stateAfterTakingBack,
  type Piece,
  type PieceStanding,
  type ShownPicture,
  type ShownPiece,
} from '../portfolio/piece.ts'
import type { PortfolioMaker } from '../ports/portfolio.ts'
import type { Tx } from '../ports/store.ts'
import type { Side } from '../disputes/dispute.ts'
import type { StoredFile } from '../submissions/evidence-rules.ts'
import type { Submission } from '../submissions/submission.ts'
import type { MarketDeps } from './deps.ts'
import { requireNotApart } from './keep-apart.ts'
import { existingWorker } from './read.ts'

/** The state of a piece, as one side of the task sees it. */
export type PieceView = PieceStanding & {
  readonly mayAsk: boolean
  /** Keys that may be asked with; of the worker alone. */
  readonly choices: readonly string[]
  /** When the work was accepted; null where there is none to show. */
  readonly doneAt: Date | null
}

/**
 * The worker of a completed task asks its publisher whether the work may be shown on its profile (decision 0256).
 * Said again while it waits it changes nothing.
 */
export async function askToShow(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  keys: readonly string[],
): Promise<PieceView> {
  const { portfolio } = deps
  if (portfolio === undefined) throw new Error('this market makes no pictures')
  const { standing, side } = await ofSide(deps, caller, taskId)
  if (side !== 'worker') throw new MarketError('FORBIDDEN', { task_id: taskId })
  const work = acceptedWork(standing, await deps.store.submissions(taskId))
  if (isSameAsk(standing.piece, keys)) return view(deps, standing, side)
  if (work === null || !mayAsk(standing)) throw notOpen(taskId, standing.piece)
  const files = chosenPictures(pictureChoices(work), keys)
  await requireNotApart(deps, standing.publisherWallet, caller.wallet)
  await portfolio.budget.take(caller, { publisher: standing.publisherWallet, pictures: files.length })
  const pictures = await picturesOf(portfolio.maker, files)
  await deps.store.transaction((tx) => writeAsk(deps, tx, { standing, work, keys, pictures }))
  return readPiece(deps, caller, taskId)
}

/** The publisher allows what its worker asked, or declines, which is for good. */
export async function answerAsk(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  allow: boolean,
): Promise<PieceView> {
  const { side } = await ofSide(deps, caller, taskId)
  if (side !== 'publisher') throw new MarketError('FORBIDDEN', { task_id: taskId })
  await deps.store.transaction(async (tx) => {
    await tx.lockTask(taskId)
    const piece = await tx.piece(taskId)
    const state = stateAfterAnswer({ piece, taskId }, allow)
    if (piece === null || state === null) return
    const at = deps.clock.now()
    if (!(await tx.movePiece(piece, state, at))) throw notOpen(taskId, { state: 'ended' })
    await tellAnswer(deps, tx, piece, allow, at)
  })
  return readPiece(deps, caller, taskId)
}

/** Either side takes it back, and it is gone from the profile at once; of the publisher that declines it. */
export async function takeWorkBack(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<PieceView> {
  const { side } = await ofSide(deps, caller, taskId)
  await deps.store.transaction(async (tx) => {
    await tx.lockTask(taskId)
    const piece = await tx.piece(taskId)
    const state = stateAfterTakingBack(piece, side)
    if (piece === null || state === null) return
    const at = deps.clock.now()
    if ((await tx.movePiece(piece, state, at)) && side === 'publisher') await tellAnswer(deps, tx, piece, false, at)
  })
  return readPiece(deps, caller, taskId)
}

/** For the two sides of the task. @throws TASK_NOT_FOUND, FORBIDDEN */
export async function readPiece(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<PieceView> {
  const { standing, side } = await ofSide(deps, caller, taskId)
  return view(deps, standing, side)
}

/** What everybody may see of a worker's work, newest first. @throws WORKER_NOT_FOUND */
export async function workerPieces(deps: MarketDeps, executorId: string, page: PageRequest): Promise<Page<ShownPiece>> {
  await existingWorker(deps, executorId)
  return deps.store.shownPieces(executorId, page)
}

async function ofSide(
  { store }: MarketDeps,
  { wallet }: WalletCaller,
  taskId: string,
): Promise<{ readonly standing: PieceStanding; readonly side: Side }> {
  const standing = await store.pieceStanding(taskId)
  if (standing === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
  if (standing.publisherWallet === wallet) return { standing, side: 'publisher' }
  const worker = await store.workerByWallet(wallet)
  if (worker === null || worker.id !== standing.executorId) throw new MarketError('FORBIDDEN', { task_id: taskId })
  return { standing, side: 'worker' }
}

async function view({ store }: MarketDeps, standing: PieceStanding, side: Side): Promise<PieceView> {
  const work = acceptedWork(standing, await store.submissions(standing.taskId))
  const asks = side === 'worker' && work !== null && mayAsk(standing)
  return {
    ...standing,
    mayAsk: asks,
    choices: asks ? pictureChoices(work).map(({ key }) => key) : [],
    doneAt: work?.decidedAt ?? null,
  }
}

/** One after the other: a caller opens one file at a time. @throws VALIDATION_FAILED for one that cannot be opened */
async function picturesOf(maker: PortfolioMaker, files: readonly StoredFile[]): Promise<readonly ShownPicture[]> {
  const made: ShownPicture[] = []
  for (const file of files) {
    const picture = await maker.shown(file)
    if (picture === null)
      throw new MarketError('VALIDATION_FAILED', {
        field: 'pictures',
        constraint: 'a whole picture of at most 50 million pixels',
        received: file.key,
      })
    made.push(picture)
  }
  return made
}

type Ask = {
  readonly standing: PieceStanding
  readonly work: Submission
  readonly keys: readonly string[]
  readonly pictures: readonly ShownPicture[]
}

async function writeAsk(deps: MarketDeps, tx: Tx, { standing, work, keys, pictures }: Ask): Promise<void> {
  const { taskId, publisherWallet: publisher } = standing
  await tx.lockTask(taskId)
  const earlier = await tx.piece(taskId)
  // Asked twice at once: the second finds the first.
  if (isSameAsk(earlier, keys)) return
  if (!mayAsk({ ...standing, piece: earlier })) throw notOpen(taskId, earlier)
  // What the operator took down while the pictures were made is not shown after all.
  const current = await tx.lockSubmission(work.id)
  if (current === null || current.takenDown !== null) throw notOpen(taskId, earlier)
  const at = deps.clock.now()
  const piece: Piece = {
    ...{ id: deps.ids.next(), taskId, executorId: work.executorId, publisher, sources: keys },
    ...{ asks: (earlier?.asks ?? 0) + 1, doneAt: work.decidedAt ?? at, askedAt: at, answeredAt: null },
    state: 'asked',
  }
  if (!(await tx.putPiece(piece, pictures))) throw notOpen(taskId, earlier)
  const data = { task_id: taskId, executor_id: work.executorId }
  await tx.addEvent({ id: deps.ids.next(), type: 'portfolio.asked', taskId, at, data })
}

async function tellAnswer(
  { ids }: MarketDeps,
  tx: Tx,
  { taskId, executorId }: { readonly taskId: string; readonly executorId: string },
  allowed: boolean,
  at: Date,
): Promise<void> {
  const data = { task_id: taskId, executor_id: executorId, allowed }
  await tx.addEvent({ id: ids.next(), type: 'portfolio.answered', taskId, at, data })
}
