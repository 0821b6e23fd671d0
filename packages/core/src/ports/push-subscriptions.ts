import type { NewsKind } from '@ergon/contract/facts'
import type { DueNotice, NoticeLanguage, NoticeQueue } from './notice-queue.ts'

/** A browser that shows the notices of one wallet (RFC 8030). */
export type PushSubscription = {
  readonly id: string
  readonly wallet: string
  readonly endpoint: string
  /** Key and secret of the browser, base64url: messages are sealed for it (RFC 8291). */
  readonly p256dh: string
  readonly auth: string
  readonly kinds: readonly NewsKind[]
  readonly language: NoticeLanguage
  readonly createdAt: Date
}
export type DueSubscription = PushSubscription & DueNotice

/** Where notices are posted so that browsers show them; a lane is a push service. */
export interface PushSubscriptions extends NoticeQueue<DueSubscription> {
  /** Puts it in the place of the one of the same endpoint; beyond so many the oldest of the wallet go. */
  put(subscription: Omit<PushSubscription, 'id' | 'createdAt'>, place: string, most: number): Promise<PushSubscription>
  list(wallet: string): Promise<readonly PushSubscription[]>
  remove(wallet: string, id: string): Promise<boolean>
}
