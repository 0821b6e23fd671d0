import { isDeepStrictEqual } from 'node:util'
import { disputeRulingTypedData, lowerAddress, readAddress, readHex32, sameAddress } from '@ergon/protocols'
import type { DisputeRulingWords } from '@ergon/protocols'
import type { Asked } from './explain.ts'
import type { Fields } from './messages.ts'
import { demand, type Scene, type Statement } from './statement.ts'
import { reading, requireSame, timeOf } from './terms.ts'

/** A challenge is good for an hour; clocks of two machines may differ by a minute. */
const longestSec = 3_600 + 60
const none = `0x${'00'.repeat(20)}` as const

/** What an arbiter decides by its signature, in the words of the document itself. @throws NotSigned */
export function explainRuling({ document, given, adds }: Asked, scene: Scene): Statement {
  const words = readWords(document.message)
  const network = scene.networks.find(({ chainId }) => chainId === document.domain['chainId'])
  const { chainId } = network ?? {}
  demand(
    network !== undefined && chainId !== undefined,
    `chain ${String(document.domain['chainId'])} is none that this wallet signs for`,
  )
  demand(sameAddress(words.arbiter, scene.signer), 'its arbiter is not this wallet')
  demand(words.deadline > scene.now && words.deadline <= scene.now + longestSec, 'it is not good for an hour at most')
  const own = disputeRulingTypedData(words, chainId)
  requireSame(own, document)
  requireAsked(words, given, adds)
  return {
    document: own,
    act: 'ruling',
    task: words.taskId,
    // It divides what others hold, and counts against no limit of this wallet.
    amount: 0n,
    token: 'nothing',
    network: network.name,
    to: none,
    payment: null,
    until: words.deadline,
    says: [
      `Rule as the arbiter of dispute ${words.disputeId}: ${verdictOf(words)}`,
      `Why: ${words.reason}`,
      ...words.criteria.map((one) => `It goes by: ${one}`),
      'Your signature moves no money of yours. Either side may appeal within a day; then the ruling is carried out.',
      `It can be handed in until ${timeOf(words.deadline)}.`,
    ],
  }
}

function verdictOf({ verdict, payerPct }: DisputeRulingWords): string {
  if (verdict === 'release') return 'all of what is held goes to the worker.'
  if (verdict === 'refund') return 'all of what is held goes back to the publisher.'
  return `${String(payerPct)} % of what is held goes back to the publisher, the rest to the worker.`
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function readWords(message: Fields): DisputeRulingWords {
  const { disputeId, taskId, verdict, payerPct, reason, criteria, deadline } = message
  demand(isText(disputeId) && isText(taskId), 'it names no dispute')
  demand(isText(reason), 'it gives no reason')
  demand(Array.isArray(criteria) && criteria.length > 0 && criteria.every(isText), 'it cites no criterion')
  demand(verdict === 'release' || verdict === 'refund' || verdict === 'split', 'its verdict is none that is known')
  const [pct, until] = [Number(payerPct), Number(deadline)]
  const isFitting = verdict === 'release' ? pct === 0 : verdict === 'refund' ? pct === 100 : pct > 0 && pct < 100
  demand(Number.isInteger(pct) && isFitting, 'its share is not the one of its verdict')
  demand(Number.isSafeInteger(until), 'it has no end')
  return {
    disputeId,
    taskId,
    arbiter: lowerAddress(reading(() => readAddress(message['arbiter'], 'arbiter'))),
    verdict,
    payerPct: pct,
    reason,
    criteria,
    deadline: until,
    nonce: reading(() => readHex32(message['nonce'], 'nonce')),
  }
}

/** What the host chose is what is ruled; the end and the nonce go into the call as they are signed. */
function requireAsked(words: DisputeRulingWords, given: Fields, adds: Fields): void {
  const differs = (what: string): string => `the call names another ${what}`
  demand(words.disputeId === given['dispute_id'], differs('dispute'))
  demand(words.verdict === given['verdict'], differs('verdict'))
  demand(words.verdict !== 'split' || words.payerPct === given['split_pct'], differs('share'))
  demand(words.reason === given['reason'], differs('reason'))
  demand(isDeepStrictEqual(words.criteria, given['criteria']), differs('criterion'))
  demand(words.nonce === adds['nonce'], differs('nonce'))
  demand(words.deadline === adds['deadline'], differs('end'))
}
