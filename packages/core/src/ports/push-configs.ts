/** Where one wallet has updates of one task posted. */
export type PushConfig = {
  readonly taskId: string
  readonly wallet: string
  readonly id: string
  readonly url: string
  /** Comes back in X-A2A-Notification-Token. */
  readonly token: string | null
  readonly schemes: readonly string[]
  /** Goes out in Authorization, with the first scheme. */
  readonly credentials: string | null
}

/** A config whose turn it is. What is written under a lease that was taken over is not written. */
export type DuePush = PushConfig & { readonly place: string; readonly attempts: number; readonly lease: string }

export type PushClaim = {
  readonly most: number
  readonly leaseMs: number
  readonly perAddress: number
  readonly perWallet: number
  /** What the caller has under way, by lane. */
  readonly underWay: ReadonlyMap<string, number>
}

/** Where agents have updates of tasks posted. */
export interface PushConfigs {
  /** Puts one in the place of the one of the same id; false when the wallet has as many as it may. */
  put(config: PushConfig, place: string, most: number): Promise<boolean>
  list(taskId: string, wallet: string): Promise<readonly PushConfig[]>
  remove(config: Pick<PushConfig, 'taskId' | 'wallet' | 'id'>): Promise<boolean>
  /**
   * Takes what is due, and keeps it from others for so long; no more of an address or a wallet than may be under way.
   */
  claim(claim: PushClaim): Promise<readonly DuePush[]>
  /** Heard up to a place, and there is more; false when the lease was taken over. */
  reached(config: DuePush, place: string): Promise<boolean>
  /** Heard up to a place; nothing is due for so long, unless it was told meanwhile or is told. */
  heard(config: DuePush, place: string, idleMs: number): Promise<void>
  /** To be tried again. */
  failed(config: DuePush, place: string, waitMs: number): Promise<void>
  /** There is nobody, or nothing more to tell. */
  forget(config: DuePush): Promise<void>
  /** Something happened to these tasks; what is under way ends first, and who waits after a failure goes on waiting. */
  tell(taskIds: readonly string[]): Promise<void>
}
