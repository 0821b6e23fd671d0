import type { WalletCaller } from '../caller.ts'
import type { ShownPicture } from '../portfolio/piece.ts'
import type { StoredFile } from '../submissions/evidence-rules.ts'

/** What becomes of a file of evidence before everybody may see it (decision 0256). */
export interface PortfolioMaker {
  /**
   * A picture made anew, without metadata and within bounds; null when the file is no picture that can be opened in
   * time. @throws SERVICE_BUSY
   */
  shown(file: StoredFile): Promise<ShownPicture | null>
}

/** Asks and pictures of a day, counted where every process counts. */
export interface PortfolioBudget {
  /** Counts an ask that is about to be made. @throws RATE_LIMITED; nothing is counted then */
  take(
    by: Pick<WalletCaller, 'wallet' | 'from'>,
    ask: { readonly publisher: string; readonly pictures: number },
  ): Promise<void>
}
