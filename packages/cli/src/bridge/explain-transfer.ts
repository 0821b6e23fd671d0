import { splitFee } from '@ergon/contract/facts'
import {
  readDecimal,
  readTransferAuthorization,
  sameAddress,
  transferWithAuthorizationTypedData,
  zeroAddress,
} from '@ergon/protocols'
import type { Asked } from './explain.ts'
import { isFields, readMessage, type Fields } from './messages.ts'
import { demand, type Scene, type Statement } from './statement.ts'
import { atomicSaid, knownToken, millionths, moneyOf, reading, requireSame, timeOf } from './terms.ts'

/** A transfer that could be submitted much later would be a debt that nobody remembers. */
const longestUseSec = 3_660

/** What the signature over a direct payment does, the worker's part or the fee (mode fase1). @throws NotSigned */
export function explainTransfer(part: 'worker' | 'fee'): (asked: Asked, scene: Scene) => Statement {
  return ({ document, value, given, challenge }, scene) => {
    const transfer = reading(() => readTransferAuthorization(payloadOf(value)['authorization'], 'authorization'))
    const contract = document.domain.verifyingContract ?? zeroAddress
    const token = knownToken(scene, document.domain['chainId'], contract)
    demand(sameAddress(transfer.from, scene.signer), 'the payer is another wallet')
    demand(![scene.signer, zeroAddress, contract].some((one) => sameAddress(one, transfer.to)), 'it pays nobody')
    const until = Number(transfer.validBefore)
    demand(until > scene.now && until <= scene.now + longestUseSec, 'it is not good for an hour at most')
    const own = transferWithAuthorizationTypedData(token.domain, transfer)
    requireSame(own, document)
    checkWords(part, transfer.value, { challenge, given, decimals: token.decimals })
    const amount = millionths(transfer.value, token.decimals)
    return {
      document: own,
      act: 'transfer',
      task: taskOf(challenge, given),
      amount,
      token: token.symbol,
      network: token.network.name,
      to: transfer.to,
      payment: null,
      until,
      says: [
        `Pay ${moneyOf(amount, token)} at once to ${transfer.to}, as ${part === 'worker' ? "the worker's part" : 'the fee'}.`,
        `This cannot be undone. The signature can be used until ${timeOf(until)}.`,
      ],
    }
  }
}

type Words = { readonly challenge: Fields; readonly given: Fields; readonly decimals: number }

/** Each part is its share of what the words say, and the fee is asked for after the worker's part was signed. */
function checkWords(part: 'worker' | 'fee', value: bigint, { challenge, given, decimals }: Words): void {
  const { payout, fee } = splitFee(atomicSaid(grossIn(challenge, given), decimals))
  demand(value === (part === 'worker' ? payout : fee), 'the words beside it name another amount')
  demand(part === 'worker' || workersPart(given) === payout, "the fee does not belong to the worker's part")
}

/** What is divided into the two parts: the bounty of a submission, or the share of a settlement. @throws NotSigned */
function grossIn(challenge: Fields, given: Fields): unknown {
  const { offer } = challenge
  if (isFields(offer)) {
    demand(offer['id'] === given['offer_id'], 'the words beside it name another offer')
    return offer['worker_amount_usd']
  }
  if (given['task_id'] !== undefined) {
    demand(challenge['task_id'] === given['task_id'], 'the words beside it name another task')
    demand(challenge['worker_amount_usd'] === given['worker_amount_usd'], 'the words beside it name another amount')
    return given['worker_amount_usd']
  }
  demand(challenge['submission_id'] === given['submission_id'], 'the words beside it name another submission')
  return challenge['gross_amount_usdc']
}

/** What the limit for one task counts under. */
function taskOf({ offer }: Fields, given: Fields): string {
  return String(isFields(offer) ? offer['task_id'] : (given['task_id'] ?? given['submission_id']))
}

function workersPart(given: Fields): bigint {
  const signed = given['settlement_auth_worker']
  const authorization = payloadOf(typeof signed === 'string' ? readMessage(signed) : undefined)['authorization']
  demand(isFields(authorization), "there is no worker's part")
  return reading(() => readDecimal(authorization['value'], "the worker's part"))
}

function payloadOf(envelope: unknown): Fields {
  const payload = isFields(envelope) ? envelope['payload'] : undefined
  demand(isFields(payload), 'there is no payload')
  return payload
}
