import type { Tx } from '@ergon/core'
import { later, offer, offerId, ruling, rulingId, taskId } from './fixture.ts'
import type { Operations } from './operations.ts'

const pick = <const T>(from: readonly [T, ...T[]], k: number): T => from[k % from.length] ?? from[0]

/** What a transaction asks of offers and rulings. */
export const agreementTxOperations: Operations<Tx> = {
  insertOffer: (tx, given) => tx.insertOffer(offer(given.n, given.t, given.w, given.b)),
  lockOffer: (tx, { b, k, n }) => tx.lockOffer(offerId(b ? k % 4 : n - 1)),
  lockOffers: (tx, { t }) => tx.lockOffers(taskId(t)),
  endOffer: (tx, given) =>
    tx.endOffer(
      offerId(given.b ? given.k % 4 : given.n - 1),
      pick(['accepted', 'settled', 'open', 'refused'], given.k),
      given.k % 2 === 0 ? '0xanswer' : null,
      given.k % 3 === 0 ? later(given.n) : null,
    ),
  insertRuling: (tx, given) => tx.insertRuling(ruling(given.n, given.t)),
  lockRulingOf: (tx, { t }) => tx.lockRulingOf(taskId(t)),
  endRuling: (tx, given) =>
    tx.endRuling(rulingId(given.n - 1), pick(['executed', 'overtaken'], given.k), later(given.n)),
  appealRuling: (tx, { n }) => tx.appealRuling(rulingId(n - 1), 'worker', 'It is there.'),
}
