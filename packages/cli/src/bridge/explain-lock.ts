import { limits } from '@ergon/contract'
import { policyLimits } from '@ergon/contract/facts'
import {
  checkPaymentAuth,
  parsePaymentAuth,
  paymentInfoHash,
  receiveWithAuthorizationTypedData,
  type PaymentAuth,
} from '@ergon/protocols'
import { isFields, type Fields } from './messages.ts'
import { demand, type Scene, type Statement } from './statement.ts'
import { atomicSaid, escrowOf, knownToken, millionths, moneyOf, reading, requireSame, taskIn, timeOf } from './terms.ts'
import type { KnownToken } from './terms.ts'
import type { Asked } from './explain.ts'

/** A signature that can be used much later is a debt that nobody remembers. */
const longestUseSec = 86_400
/** The longest deadline of a task, and the time in which money may stay held after it. */
const longestHoldSec = limits.deadlineHoursMax * 3_600 + (policyLimits.boundHoursMax + 24) * 3_600

/**
 * What the signature over a lock does. The document names the collector alone; payee, fee and expiries are in the
 * payment terms, whose hash is its nonce. @throws NotSigned
 */
export function explainLock({ document, value, given, challenge }: Asked, scene: Scene): Statement {
  const auth = reading(() => parsePaymentAuth(value))
  const { paymentInfo: info, authorization } = auth
  const token = knownToken(scene, document.domain['chainId'], info.token)
  const escrow = checkedTerms(auth, token, scene)
  const own = receiveWithAuthorizationTypedData(token.domain, authorization)
  requireSame(own, document)
  const task = taskIn(info)
  demand(task !== undefined && task === given['task_id'], 'its terms are those of another task')
  const amount = millionths(authorization.value, token.decimals)
  checkWords(challenge, { auth, token, given })
  const until = Number(authorization.validBefore)
  return {
    document: own,
    act: 'lock',
    task,
    amount,
    token: token.symbol,
    network: token.network.name,
    to: info.receiver,
    payment: paymentInfoHash(info, token.network.chainId, escrow.escrow),
    until,
    says: [
      `Hold ${moneyOf(amount, token)} in escrow for task ${task}.`,
      `They are paid to ${info.receiver} when you approve; the fee in them is at most ${percent(info.maxFeeBps)}.`,
      `The signature can be used until ${timeOf(until)}. ` +
        `What is not paid out by ${timeOf(info.authorizationExpiry)} you can take back.`,
    ],
  }
}

const percent = (bps: number): string => `${String(bps / 100)} %`

/** Every address comes from our own table, the payer is this wallet, and the bounds are those of the market. */
function checkedTerms(auth: PaymentAuth, token: KnownToken, { signer, now }: Scene): ReturnType<typeof escrowOf> {
  const { paymentInfo: info, authorization } = auth
  const escrow = escrowOf(token.network)
  const fault = checkPaymentAuth(auth, {
    chainId: token.network.chainId,
    ...escrow,
    token: token.domain,
    payer: signer,
    receiver: info.receiver,
    amount: authorization.value,
    feeBps: limits.feeBps,
    now,
  })
  // The signature is what is still missing; it is checked last, so everything before it has passed.
  demand(fault?.code === 'signature', fault?.reason ?? 'it is signed already')
  demand(info.maxFeeBps === limits.feeBps, `it allows a fee of ${percent(info.maxFeeBps)}`)
  demand(info.preApprovalExpiry <= now + longestUseSec, 'it could be used for more than a day')
  demand(info.authorizationExpiry <= now + longestHoldSec, 'it would hold the money longer than any task lasts')
  return escrow
}

type Locked = { readonly auth: PaymentAuth; readonly token: KnownToken; readonly given: Fields }

/** The words beside the block say the same as what is signed. */
function checkWords(challenge: Fields, { auth, token, given }: Locked): void {
  const [offer] = Array.isArray(challenge['accepts']) ? (challenge['accepts'] as unknown[]) : []
  demand(isFields(offer), 'the offer beside it is missing')
  const said = (name: string): string => String(offer[name]).toLowerCase()
  const differs = (what: string): string => `the words beside it name another ${what}`
  demand(challenge['task_id'] === given['task_id'], differs('task'))
  demand(challenge['executor_id'] === given['executor_id'], differs('worker'))
  demand(said('network') === token.network.caip2, differs('network'))
  demand(said('asset') === token.domain.verifyingContract, differs('token'))
  demand(said('payTo') === auth.authorization.to.toLowerCase(), differs('receiver'))
  demand(said('maxAmountRequired') === String(auth.authorization.value), differs('amount'))
  demand(atomicSaid(challenge['most_you_can_lose_usd'], token.decimals) === auth.authorization.value, differs('amount'))
}
