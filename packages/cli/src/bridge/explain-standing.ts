import type { WalletAction } from '@ergon/contract'
import { policyLimits } from '@ergon/contract/facts'
import {
  parsePaymentAuth,
  parseStandingOrder,
  sameAddress,
  standingOrderTypedData,
  type StandingOrder,
  type TypedData,
} from '@ergon/protocols'
import type { Fields } from './messages.ts'
import { demand, type Scene, type Statement } from './statement.ts'
import { escrowOf, knownToken, moneyOf, reading, requireSame, timeOf } from './terms.ts'

type Besides = NonNullable<WalletAction['besides']>
/** The lock that it goes along with, explained already. */
type Lock = { readonly statement: Statement; readonly value: Fields }

/** The review of a task is an hour at least; clocks of two machines may differ by a minute. */
const soonestSec = policyLimits.reviewHoursMin * 3_600 - 60

/**
 * What the word for silence does: the money of this lock, once, to its payee, not before a review that begins now could
 * have ended. Anything wider is no part of a lock. @throws NotSigned
 */
export function explainStanding(besides: Besides, { statement, value }: Lock, scene: Scene): Statement {
  demand(besides.parameter === 'standing_order', 'the second signature would go elsewhere')
  demand(besides.signature_at === 'signature' && besides.encoding === 'json_text', 'it would be sent in another form')
  const came = besides.typed_data as TypedData // hashed against our own before anything is signed
  const { order } = reading(() => parseStandingOrder({ ...besides.value, signature: '0x' }))
  const { paymentInfo: info } = reading(() => parsePaymentAuth(value))
  const token = knownToken(scene, came.domain['chainId'], order.token)
  requireThisLock(order, info.maxAmount, statement, scene)
  const { operator } = escrowOf(token.network)
  demand(sameAddress(order.operator, operator), `its operator is not that of ${token.network.title}`)
  demand(sameAddress(order.token, info.token) && token.network.name === statement.network, 'it is for another token')
  demand(order.notAfter === info.authorizationExpiry, 'it does not end with the lock')
  const own = standingOrderTypedData(order, token.network.chainId)
  requireSame(own, came)
  return {
    ...statement,
    document: own,
    act: 'standing',
    until: order.notAfter,
    says: [
      `If you say nothing: from ${timeOf(order.notBefore)} to ${timeOf(order.notAfter)} the service may pay these ` +
        `${moneyOf(statement.amount, token)} to ${statement.to}, once, without asking you, ` +
        'when work was handed in, its required checks passed, and its review ended in silence.',
    ],
  }
}

function requireThisLock(order: StandingOrder, amount: bigint, { payment }: Statement, { signer, now }: Scene): void {
  demand(sameAddress(order.payer, signer), 'the payer is another wallet')
  demand(order.payment === payment, 'the word for silence is for another payment')
  demand(order.maxPerRelease === amount && order.maxTotal === amount, 'the word for silence is for another amount')
  demand(order.maxCount === 1, 'the word for silence is good more than once')
  demand(order.notBefore >= now + soonestSec, 'the word for silence is good before any review could end')
}
