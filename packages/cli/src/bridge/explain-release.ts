import { limits } from '@ergon/contract'
import {
  lifecycleMaxAheadSec,
  lifecycleOrderTypedData,
  lowerAddress,
  paymentInfoFromWire,
  paymentInfoHash,
  readAddress,
  readCount,
  readDecimal,
  readHex32,
  sameAddress,
  type Address,
  type PaymentInfo,
} from '@ergon/protocols'
import type { Asked } from './explain.ts'
import { isFields, type Fields } from './messages.ts'
import { demand, type Scene, type Statement } from './statement.ts'
import { atomicSaid, escrowOf, knownToken, millionths, moneyOf, reading, requireSame, taskIn, timeOf } from './terms.ts'
import type { KnownToken } from './terms.ts'

/** What the signature over a release order does: it pays held money out. @throws NotSigned */
export function explainRelease({ document, given, challenge }: Asked, scene: Scene): Statement {
  const { message } = document
  const info = readInfo(message['paymentInfo'])
  const token = knownToken(scene, document.domain['chainId'], info.token)
  const escrow = escrowOf(token.network)
  checkParties(info, token, scene)
  demand(message['action'] === 'release', `it is an order to ${String(message['action']).slice(0, 40)}`)
  const atomic = reading(() => readDecimal(message['amount'], 'amount'))
  demand(atomic > 0n && atomic <= info.maxAmount, 'it releases more than was held')
  const deadline = reading(() => readCount(Number(message['deadline']), 'deadline'))
  demand(deadline > scene.now && deadline <= scene.now + lifecycleMaxAheadSec, 'it is not good for 15 minutes at most')
  const nonce = reading(() => readHex32(message['nonce'], 'nonce'))
  const order = { action: 'release', amount: atomic, deadline, nonce, paymentInfo: info } as const
  const own = lifecycleOrderTypedData(order, token.network.chainId)
  requireSame(own, document)
  checkWords(challenge, given, info, token)
  const amount = millionths(atomic, token.decimals)
  const payment = paymentInfoHash(info, token.network.chainId, escrow.escrow)
  const task = taskIn(info)
  return {
    document: own,
    act: 'release',
    task: task ?? payment,
    amount,
    token: token.symbol,
    network: token.network.name,
    to: info.receiver,
    payment,
    until: deadline,
    says: [
      `Pay ${moneyOf(amount, token)} out of escrow to ${info.receiver}${task === undefined ? '' : ` for task ${task}`}.`,
      `The fee in them is at most ${String(info.maxFeeBps / 100)} %. This cannot be undone.`,
      `The order can be used until ${timeOf(deadline)}.`,
    ],
  }
}

/** The document carries the payer inside and the salt as a number; the wire form does neither. */
function readInfo(value: unknown): PaymentInfo {
  demand(isFields(value), 'it carries no payment terms')
  const { payer, salt, ...rest } = value
  demand(typeof salt === 'string' && /^(?:0x[0-9a-f]{1,64}|[0-9]{1,77})$/i.test(salt), 'the salt is no number')
  return reading(() =>
    paymentInfoFromWire(
      { ...rest, salt: `0x${BigInt(salt).toString(16).padStart(64, '0')}` },
      readAddress(payer, 'payer'),
    ),
  )
}

function checkParties(info: PaymentInfo, token: KnownToken, { signer }: Scene): void {
  const { operator } = escrowOf(token.network)
  const isOne = (address: Address, of: readonly Address[]): boolean => of.some((one) => sameAddress(one, address))
  demand(sameAddress(info.payer, signer), 'the payer is another wallet')
  demand(sameAddress(info.operator, operator), `its operator is not that of ${token.network.title}`)
  demand(sameAddress(info.feeReceiver, operator), 'the fee would go elsewhere')
  demand(
    info.minFeeBps <= info.maxFeeBps && info.maxFeeBps <= limits.feeBps,
    'the fee is higher than that of the market',
  )
  demand(!isOne(info.receiver, [lowerAddress(signer), operator]), 'the payee is the payer or the operator')
}

function checkWords(challenge: Fields, given: Fields, info: PaymentInfo, token: KnownToken): void {
  const differs = (what: string): string => `the words beside it name another ${what}`
  demand(challenge['submission_id'] === given['submission_id'], differs('submission'))
  const task = taskIn(info)
  demand(task === undefined || challenge['task_id'] === task, differs('task'))
  demand(atomicSaid(challenge['gross_amount_usdc'], token.decimals) === info.maxAmount, differs('amount'))
}
