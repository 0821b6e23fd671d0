import type { NewsKind } from '@ergon/contract/facts'
import type { DueNotice, NoticeLanguage, NoticeQueue } from './notice-queue.ts'

/** The address that a wallet wants its notices at. Its id changes with the address: a link of before is of no use. */
export type MailSubscription = {
  readonly id: string
  readonly wallet: string
  readonly address: string
  readonly kinds: readonly NewsKind[]
  readonly language: NoticeLanguage
  /** When a confirmation was asked for last. */
  readonly askedAt: Date
  /** Null: nothing but the confirmation is sent. */
  readonly confirmedAt: Date | null
}
export type DueMail = MailSubscription & DueNotice

/** Where notices are mailed to; what waits for its confirmation is due once, to be sent that. */
export interface MailSubscriptions extends NoticeQueue<DueMail> {
  /** Puts it in the place of the one of the wallet; asks for a confirmation when told to, or for another address. */
  put(
    subscription: Pick<MailSubscription, 'wallet' | 'address' | 'kinds' | 'language'>,
    asks: boolean,
  ): Promise<MailSubscription>
  find(wallet: string): Promise<MailSubscription | null>
  remove(wallet: string): Promise<boolean>
  /** The confirmation was sent, or given up: nothing is due until its link is opened. */
  asked(id: string): Promise<void>
  /** The link of a confirmation was used; news from the place on are told. False: there is nothing to confirm. */
  confirm(id: string, place: string): Promise<boolean>
  /** Ends it, whoever asks; false: there was none. */
  stop(id: string): Promise<boolean>
  /** Forgets who did not confirm in time, so many at the most; answers how many. */
  forget(most: number): Promise<number>
}
