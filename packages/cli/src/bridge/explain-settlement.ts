import {
  lowerAddress,
  readAddress,
  readCount,
  readDecimal,
  readHex32,
  sameAddress,
  settlementOfferTypedData,
  type SettlementOfferWords,
} from '@ergon/protocols'
import type { Asked } from './explain.ts'
import { isFields, type Fields } from './messages.ts'
import { demand, type Scene, type Statement } from './statement.ts'
import { atomicSaid, knownToken, millionths, moneyOf, reading, requireSame, timeOf } from './terms.ts'
import type { KnownToken } from './terms.ts'

/** An offer lasts fourteen days at most; clocks of two machines may differ by a minute. */
const longestSec = 14 * 86_400 + 60
const nothingHeld = `0x${'00'.repeat(32)}`

/** What the signature over the words of a settlement does, for who offers it or who accepts it. @throws NotSigned */
export function explainSettlement(by: 'offer' | 'accept'): (asked: Asked, scene: Scene) => Statement {
  return ({ document, given, challenge, adds }, scene) => {
    const words = readWords(document.message)
    const token = knownToken(scene, document.domain['chainId'], words.token)
    const isPayer = sameAddress(words.payer, scene.signer)
    demand(isPayer || sameAddress(words.worker, scene.signer), 'neither side of it is this wallet')
    demand(!sameAddress(words.payer, words.worker), 'both sides of it are one wallet')
    demand(words.expiry > scene.now && words.expiry <= scene.now + longestSec, 'it is not good for 14 days at most')
    demand(words.workerAmount + words.payerAmount > 0n, 'it divides nothing')
    const own = settlementOfferTypedData(words, token.network.chainId)
    requireSame(own, document)
    if (by === 'offer') checkOffer(words, token, given, challenge, adds)
    else checkAcceptance(words, token, given, challenge)
    const [toWorker, toPayer] = [words.workerAmount, words.payerAmount].map((one) => millionths(one, token.decimals))
    return {
      document: own,
      act: 'settlement',
      task: words.taskId,
      // What leaves the payer's money in escrow; a worker gives nothing away that was its own.
      amount: isPayer && words.payment !== nothingHeld ? (toWorker ?? 0n) : 0n,
      token: token.symbol,
      network: token.network.name,
      to: words.worker,
      payment: words.payment === nothingHeld ? null : words.payment,
      until: words.expiry,
      says: [
        `${by === 'offer' ? 'Offer to settle' : 'Settle'} task ${words.taskId} for good: ` +
          `${moneyOf(toWorker ?? 0n, token)} to the worker ${words.worker}, ` +
          'the fee of the market taken out of it, and ' +
          `${moneyOf(toPayer ?? 0n, token)} back to the payer ${words.payer}.`,
        `You are the ${isPayer ? 'payer' : 'worker'}. ` +
          `${by === 'offer' ? 'Once the other side accepts, it' : 'It'} cannot be undone.`,
        `The signature can be used until ${timeOf(words.expiry)}.`,
      ],
    }
  }
}

function readWords(message: Fields): SettlementOfferWords {
  const { taskId } = message
  demand(typeof taskId === 'string' && /^[0-9a-f-]{36}$/.test(taskId), 'it names no task')
  const address = (name: string) => lowerAddress(reading(() => readAddress(message[name], name)))
  const number = (name: string) => reading(() => readDecimal(message[name], name))
  return {
    taskId,
    payment: reading(() => readHex32(message['payment'], 'payment')),
    payer: address('payer'),
    worker: address('worker'),
    token: address('token'),
    workerAmount: number('workerAmount'),
    payerAmount: number('payerAmount'),
    expiry: reading(() => readCount(Number(message['expiry']), 'expiry')),
    nonce: reading(() => readHex32(message['nonce'], 'nonce')),
  }
}

const differs = (what: string): string => `the words beside it name another ${what}`

/** What was asked for is what is offered; the end and the nonce go into the call as they are signed. */
function checkOffer(
  words: SettlementOfferWords,
  token: KnownToken,
  given: Fields,
  challenge: Fields,
  adds: Fields,
): void {
  demand(words.taskId === given['task_id'] && words.taskId === challenge['task_id'], differs('task'))
  checkShares(words, token, challenge)
  demand(share(given['worker_amount_usd'], token) === words.workerAmount, differs('share'))
  demand(adds['nonce'] === words.nonce, differs('nonce'))
  demand(Date.parse(String(adds['expires_at'])) === words.expiry * 1_000, differs('end'))
}

function checkAcceptance(words: SettlementOfferWords, token: KnownToken, given: Fields, challenge: Fields): void {
  const { offer } = challenge
  demand(isFields(offer) && offer['id'] === given['offer_id'], differs('offer'))
  demand(offer['task_id'] === words.taskId, differs('task'))
  demand((offer['payment_info_hash'] ?? nothingHeld) === words.payment, differs('payment'))
  checkShares(words, token, offer)
}

function checkShares({ workerAmount, payerAmount }: SettlementOfferWords, token: KnownToken, said: Fields): void {
  demand(share(said['worker_amount_usd'], token) === workerAmount, differs('share'))
  demand(share(said['payer_amount_usd'], token) === payerAmount, differs('share'))
}

const share = (said: unknown, { decimals }: KnownToken): bigint => (said === 0 ? 0n : atomicSaid(said, decimals))
