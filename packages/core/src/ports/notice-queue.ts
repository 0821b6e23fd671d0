import type { NewsKind } from '@ergon/contract/facts'

export type NoticeLanguage = 'en' | 'es'

/** Whoever is to be told of news, whichever way; `place` is how far was heard. */
export type DueNotice = {
  readonly id: string
  readonly wallet: string
  readonly kinds: readonly NewsKind[]
  readonly language: NoticeLanguage
  readonly place: string
  readonly attempts: number
  readonly lease: string
}
/** What a round writes under; what is written under a lease that was taken over is not written. */
export type HeldNotice = Pick<DueNotice, 'id' | 'lease'>

/** Rows that wait for their turn to be told of news. */
export interface NoticeQueue<Due extends DueNotice> {
  /** Takes what is due, no more of a lane than may be under way, and keeps it from others for so long. */
  claim(claim: {
    readonly most: number
    readonly leaseMs: number
    readonly perLane: number
    /** What the caller has under way, by lane. */
    readonly underWay: ReadonlyMap<string, number>
  }): Promise<readonly Due[]>
  /** Heard up to a place: nothing is due for so long, unless it was told meanwhile or is told, nor within the quiet. */
  heard(held: HeldNotice, place: string, idleMs: number, quietMs: number): Promise<void>
  /** To be tried again. */
  failed(held: HeldNotice, waitMs: number): Promise<void>
  /** Not tried, and not before so long, whatever happens. */
  postpone(held: HeldNotice, waitMs: number): Promise<void>
  /** Something happened to these wallets; what is under way ends first, who waits after a failure goes on waiting. */
  tell(wallets: readonly string[]): Promise<void>
}
