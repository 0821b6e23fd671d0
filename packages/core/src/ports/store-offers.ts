import type { Offer, OfferStatus } from '../settlement-offers/offer.ts'

/** What two parties offer one another (decision 0167). */
export interface OfferStore {
  offer(id: string): Promise<Offer | null>
  /** Of a task, newest first; there are at most twenty. */
  offers(taskId: string): Promise<readonly Offer[]>
}

export interface OfferTx {
  insertOffer(offer: Offer): Promise<void>
  lockOffer(id: string): Promise<Offer | null>
  /** Those of a task, newest first, locked. */
  lockOffers(taskId: string): Promise<readonly Offer[]>
  /** `answer` null leaves it as it is. */
  endOffer(id: string, status: OfferStatus, answer: string | null, endedAt: Date | null): Promise<void>
}
