import type { Operations, OutputOf } from '@ergon/contract'
import type { PieceView, ShownPiece, Work } from '@ergon/core'
import { instant, instantOrNull } from './instant.ts'

/** Where pictures of work are. */
export type PictureLinks = {
  shown(pieceId: string, name: string): string
  /** For the two sides, while it is not public; ends after a quarter of an hour. */
  preview(pieceId: string, name: string, now: Date): string
}

type Shown = OutputOf<Operations['portfolio.list']>['works'][number]

export function presentShown(piece: ShownPiece, links: PictureLinks): Shown {
  return { id: piece.id, task_id: piece.taskId, ...workOf(piece, piece.doneAt, (name) => links.shown(piece.id, name)) }
}

export function presentPiece(seen: PieceView, links: PictureLinks, now: Date): OutputOf<Operations['portfolio.read']> {
  const { piece, doneAt } = seen
  const link = (name: string): string => {
    if (piece === null) return name
    return piece.state === 'allowed' ? links.shown(piece.id, name) : links.preview(piece.id, name, now)
  }
  return {
    task_id: seen.taskId,
    executor_id: seen.executorId,
    state: piece?.state ?? 'none',
    may_ask: seen.mayAsk,
    choices: [...seen.choices],
    work: doneAt === null ? null : workOf(seen, doneAt, link),
    asked_at: instantOrNull(piece?.askedAt ?? null),
    answered_at: instantOrNull(piece?.answeredAt ?? null),
  }
}

const workOf = ({ title, category, score, pictures }: Work, doneAt: Date, link: (name: string) => string) => ({
  title,
  category,
  month: instant(doneAt).slice(0, 7),
  score,
  pictures: pictures.map(link),
})
