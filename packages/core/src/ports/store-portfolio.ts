import type { Page, PageRequest } from '../page.ts'
import type { Piece, PieceStanding, ShownPicture, ShownPiece } from '../portfolio/piece.ts'

/** Work on profiles: a piece a task at the most. */
export interface PortfolioStore {
  /** Null: there is no such task. */
  pieceStanding(taskId: string): Promise<PieceStanding | null>
  /** What everybody may see, newest first: nothing of a banned worker, and no hidden task. */
  shownPieces(executorId: string, page: PageRequest): Promise<Page<ShownPiece>>
  /** A picture by its name; `isShown` where everybody may see it. */
  shownPicture(pieceId: string, name: string): Promise<{ readonly bytes: Uint8Array; readonly isShown: boolean } | null>
  /** Ends asks from before that nobody answered, so many at the most; answers how many. */
  endAsks(before: Date, limit: number): Promise<number>
}

export interface PortfolioTx {
  /** The present piece of a task; ask under the lock of the task. */
  piece(taskId: string): Promise<Piece | null>
  /** In the place of the one before, whose pictures are gone; false where the worker deleted its account. */
  putPiece(piece: Piece, pictures: readonly ShownPicture[]): Promise<boolean>
  /** Moves it on; one that ends or is declined loses its pictures. False when it moved meanwhile. */
  movePiece(from: Pick<Piece, 'id' | 'state'>, to: Piece['state'], at: Date): Promise<boolean>
}
