import type { WalletCaller } from '../caller.ts'

/** What becomes of a file before anybody sees it as the picture of a person (decision 0252). */
export interface PictureMaker {
  /**
   * A square without metadata, small enough to be shown beside a name; null when the bytes are no picture that can be
   * opened in time. @throws SERVICE_BUSY
   */
  square(bytes: Uint8Array, wallet: string): Promise<Uint8Array | null>
}

/** Pictures that are opened and kept in a day, by whom and in all. */
export interface PictureBudget {
  /** Counts one that is about to be opened. @throws RATE_LIMITED; nothing is counted then */
  take(by: Pick<WalletCaller, 'wallet' | 'from'>): Promise<void>
}
