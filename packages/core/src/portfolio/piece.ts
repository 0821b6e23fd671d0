import type { Category, PortfolioState } from '@ergon/contract'
import type { Side } from '../disputes/dispute.ts'
import { MarketError } from '../errors.ts'
import { storedFile, type StoredFile } from '../submissions/evidence-rules.ts'
import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'

/** Work of one task that its worker asked to show, or shows (decision 0256). */
export type Piece = {
  /** Another with each ask, so that the addresses of its pictures end with it. */
  readonly id: string
  readonly taskId: string
  readonly executorId: string
  /** Who is asked. */
  readonly publisher: string
  readonly state: Exclude<PortfolioState, 'none'>
  /** How often the worker has asked. */
  readonly asks: number
  /** Keys of the evidence that its pictures are made of. */
  readonly sources: readonly string[]
  /** When the work was accepted. */
  readonly doneAt: Date
  readonly askedAt: Date
  readonly answeredAt: Date | null
}

/** A picture as it is shown, and the name it goes by: the hash of its bytes. */
export type ShownPicture = { readonly name: string; readonly bytes: Uint8Array }

/** What is shown with a piece; pictures by their names. */
export type Work = {
  readonly title: string
  readonly category: Category
  /** What the publisher rated the work; null while it has not. */
  readonly score: number | null
  readonly pictures: readonly string[]
}

/** The state of showing the work of one task, whether its worker asked or not. */
export type PieceStanding = Work &
  Pick<Task, 'status' | 'executorId' | 'publisherWallet'> & {
    readonly taskId: string
    readonly piece: Piece | null
    /** The operator hid the task. */
    readonly isHidden: boolean
    /** The worker is banned, or deleted its account. */
    readonly isGone: boolean
  }

/** A piece on a profile. */
export type ShownPiece = Work & Pick<Piece, 'id' | 'taskId' | 'doneAt'>

/** Asks of one wallet and to one wallet, and pictures that are made, in a UTC day; 0 is no limit. */
export const portfolioPerDay = {
  ofWorker: 20,
  toPublisher: 20,
  pictures: { ofWallet: 40, ofAddress: 120, inAll: 2_000 },
} as const

/** An ask that nobody answers ends. */
export const askDays = 30
/** Of one task: a worker that takes back and asks again rings its publisher each time. */
const mostAsks = 3

/** Formats whose pixels can be opened and made anew. */
const opened: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/tiff'])

/** The work that a completed task was paid for; null where there is none to show. */
export function acceptedWork(
  { status, executorId }: Pick<Task, 'status' | 'executorId'>,
  submissions: readonly Submission[],
): Submission | null {
  if (status !== 'completed') return null
  return submissions.find((one) => one.status === 'approved' && one.executorId === executorId) ?? null
}

/** The pictures that a worker may choose from. */
export function pictureChoices({ evidence }: Pick<Submission, 'evidence'>): readonly StoredFile[] {
  return Object.entries(evidence).flatMap(([type, value]) => {
    const file = storedFile(type, value)
    return file !== null && opened.has(file.content_type) ? [file] : []
  })
}

/** In the order of the choice. @throws VALIDATION_FAILED for a key of anything else */
export function chosenPictures(choices: readonly StoredFile[], keys: readonly string[]): readonly StoredFile[] {
  return keys.map((key) => {
    const file = choices.find((one) => one.key === key)
    if (file === undefined)
      throw new MarketError('VALIDATION_FAILED', {
        field: 'pictures',
        constraint: 'keys of pictures in the accepted evidence of this task',
        received: key,
      })
    return file
  })
}

/** Whether the worker can ask now. */
export function mayAsk({ piece, isHidden, isGone }: Pick<PieceStanding, 'piece' | 'isHidden' | 'isGone'>): boolean {
  if (isHidden || isGone) return false
  return piece === null || (piece.state === 'ended' && piece.asks < mostAsks)
}

/** Whether it says what waits already. */
export function isSameAsk(piece: Piece | null, keys: readonly string[]): boolean {
  return (
    piece?.state === 'asked' &&
    piece.sources.length === keys.length &&
    keys.every((key, at) => piece.sources[at] === key)
  )
}

/** The state after an answer; null: it is so already. @throws PORTFOLIO_NOT_OPEN where nothing waits for one */
export function stateAfterAnswer({ piece, taskId }: Pick<PieceStanding, 'piece' | 'taskId'>, allow: boolean) {
  const wanted = allow ? 'allowed' : 'declined'
  if (piece?.state === wanted) return null
  if (piece?.state !== 'asked') throw notOpen(taskId, piece)
  return wanted
}

/** The state after one side takes it back; null: nothing is shown or waits. */
export function stateAfterTakingBack(piece: Pick<Piece, 'state'> | null, side: Side): 'ended' | 'declined' | null {
  if (piece?.state !== 'asked' && piece?.state !== 'allowed') return null
  return side === 'worker' ? 'ended' : 'declined'
}

export function notOpen(taskId: string, piece: Pick<Piece, 'state'> | null): MarketError {
  return new MarketError('PORTFOLIO_NOT_OPEN', { task_id: taskId, state: piece?.state ?? 'none' })
}
