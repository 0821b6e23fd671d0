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

/** A config whose turn it is; the claim holds while others leave it alone. */
export type DuePush = PushConfig & { readonly place: string; readonly attempts: number }

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
  /** Heard up to a place; nothing is due before it is told, or for so long. */
  heard(config: DuePush, place: string, idleMs: number): Promise<void>
  /** To be tried again. */
  failed(config: DuePush, place: string, waitMs: number): Promise<void>
  /** Something happened to these tasks; who waits after a failure goes on waiting. */
  tell(taskIds: readonly string[]): Promise<void>
}
