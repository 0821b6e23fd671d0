import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import type { SentRating, WrittenRating } from '../ports/store-audit.ts'
import type { Rating } from '../reputation/rating.ts'
import { linesOf, scriptedDeps, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { auditRatings } from './audit-ratings.ts'

const now = scriptedNow
const ago = (ms: number): Date => new Date(now.getTime() - ms)
const terms = {
  network: 'localnet',
  agentId: 7,
  score: 90,
  tag1: 'worker_rating',
  tag2: 'simple_action',
  endpoint: '',
  feedbackUri: 'http://localhost/feedback/task',
  feedbackHash: 'hash',
} as const
const rating = (change: Partial<Rating> = {}): Rating => ({
  id: 'rating',
  taskId: 'task',
  direction: 'publisher_rates_executor',
  rater: 'publisher',
  ratee: 'worker',
  terms,
  comment: null,
  document: Uint8Array.of(123, 125),
  status: 'confirmed',
  txHash: '0xrated',
  feedbackIndex: 1,
  attempts: 2,
  ...change,
})
const written = (daysAgo: number, change: Partial<Rating> = {}): WrittenRating => ({
  ...rating(change),
  writtenAt: ago(daysAgo * 86_400_000),
})
const sent = (landsUntil: Date): SentRating => ({
  ...rating({ status: 'sending' }),
  landsUntil,
  writtenAt: ago(60_000),
})

type Given = {
  readonly script?: Script
  readonly found?: object | 'unread' | 'down' | null
  readonly hash?: string
}

async function audited({ script = {}, found = null, hash = 'hash' }: Given) {
  const asked: unknown[][] = []
  const find = (...of: unknown[]): Promise<unknown> => {
    asked.push(['find', ...of.slice(1)])
    if (found === 'unread') return Promise.reject(new MarketError('CHAIN_UNAVAILABLE'))
    return found === 'down' ? Promise.reject(new Error('down')) : Promise.resolve(found)
  }
  const ratings = { find, hashOf: () => hash }
  const one = scriptedDeps(
    {
      leaseSentRatings: [],
      leaseRatingAudits: [],
      stuckRatings: [],
      lockRating: rating({ status: 'sending' }),
      ...script,
    },
    { ratings } as never,
  )
  const ended = await auditRatings(one.deps)
  return { ended, asked, lines: linesOf(one.asked) }
}

const landed = { txHash: '0xfound', blockNumber: 7n, logIndex: 1, feedbackIndex: 3 }

describe('a rating that a crash left on its way', () => {
  test.each<[string, Given, number, readonly string[]]>([
    [
      'is confirmed, where the registry has it',
      { script: { leaseSentRatings: [sent(now)] }, found: landed },
      1,
      [
        'leaseSentRatings localnet now 2026-11-21T12:01:00.000Z 2026-11-21T11:59:00.000Z 20',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:confirmed,txHash:0xfound,feedbackIndex:3} now',
        'addEvent {id:#1,type:reputation.updated,taskId:task,at:now,data:{task_id:task,agent_id:7,score:90,tx_hash:0xfound}}',
        'countedRatings localnet 7 publisher_rates_executor',
        'putScore {network:localnet,agentId:7,role:worker,wallet:worker,at:now}',
        'leaseRatingAudits localnet now 2026-11-21T12:01:00.000Z 20',
        'stuckRatings 2026-11-21T11:50:00.000Z 1000',
        'reportFindings [ratings] [] now',
      ],
    ],
    [
      'waits while it may still land',
      { script: { leaseSentRatings: [sent(ago(300_000))] } },
      0,
      [
        'leaseSentRatings localnet now 2026-11-21T12:01:00.000Z 2026-11-21T11:59:00.000Z 20',
        'leaseRatingAudits localnet now 2026-11-21T12:01:00.000Z 20',
        'stuckRatings 2026-11-21T11:50:00.000Z 1000',
        'reportFindings [ratings] [] now',
      ],
    ],
    [
      'may be prepared anew once it can land no more',
      { script: { leaseSentRatings: [sent(ago(300_001))] } },
      1,
      [
        'leaseSentRatings localnet now 2026-11-21T12:01:00.000Z 2026-11-21T11:59:00.000Z 20',
        'transaction',
        'lockRating task publisher_rates_executor',
        'endRating rating {status:prepared} now',
        'leaseRatingAudits localnet now 2026-11-21T12:01:00.000Z 20',
        'stuckRatings 2026-11-21T11:50:00.000Z 1000',
        'reportFindings [ratings] [] now',
      ],
    ],
    [
      'waits while the registry cannot be asked',
      { script: { leaseSentRatings: [sent(ago(300_001))] }, found: 'unread' },
      0,
      [
        'leaseSentRatings localnet now 2026-11-21T12:01:00.000Z 2026-11-21T11:59:00.000Z 20',
        'leaseRatingAudits localnet now 2026-11-21T12:01:00.000Z 20',
        'stuckRatings 2026-11-21T11:50:00.000Z 1000',
        'reportFindings [ratings] [] now',
      ],
    ],
    [
      'is told of, when it waits for long',
      { script: { stuckRatings: [{ ...rating({ status: 'due' }), since: ago(600_001) }] } },
      0,
      [
        'leaseSentRatings localnet now 2026-11-21T12:01:00.000Z 2026-11-21T11:59:00.000Z 20',
        'leaseRatingAudits localnet now 2026-11-21T12:01:00.000Z 20',
        'stuckRatings 2026-11-21T11:50:00.000Z 1000',
        'reportFindings [ratings] [{kind:stuck,scope:ratings,subject:rating,taskId:task,settlementId:null,network:localnet,asset:null,atomic:null,detail:the rating is due since 2026-11-21T11:49:59.999Z, after 2 attempts}] now',
      ],
    ],
  ])('%s', async (_what, given, ended, lines) => {
    const done = await audited(given)
    expect(done.ended).toEqual(ended)
    expect(done.lines).toEqual(lines)
  })
  test('a fault of ours is not hidden', async () => {
    await expect(audited({ script: { leaseSentRatings: [sent(now)] }, found: 'down' })).rejects.toThrow('down')
  })
  test('is looked for by its rater, since it was written', async () => {
    expect((await audited({ script: { leaseSentRatings: [sent(now)] } })).asked).toEqual([
      ['find', 'publisher', ago(60_000)],
    ])
  })
})

describe('a confirmed rating is held against its document', () => {
  const due = { leaseRatingAudits: [written(1), written(1, { id: 'second' })] }
  test.each<[string, Given, readonly string[]]>([
    [
      'and agrees',
      { script: due, found: landed },
      [
        'leaseSentRatings localnet now 2026-11-21T12:01:00.000Z 2026-11-21T11:59:00.000Z 20',
        'leaseRatingAudits localnet now 2026-11-21T12:01:00.000Z 20',
        'reportFindings [rating:rating,rating:second] [] now',
        'auditRatingAt [rating,second] 2026-12-21T12:00:00.000Z',
        'stuckRatings 2026-11-21T11:50:00.000Z 1000',
        'reportFindings [ratings] [] now',
      ],
    ],
    [
      'and is looked at again a day later where its block may still be undone',
      { script: { leaseRatingAudits: [written(0.9), written(1, { id: 'second' })] }, found: landed },
      [
        'leaseSentRatings localnet now 2026-11-21T12:01:00.000Z 2026-11-21T11:59:00.000Z 20',
        'leaseRatingAudits localnet now 2026-11-21T12:01:00.000Z 20',
        'reportFindings [rating:rating,rating:second] [] now',
        'auditRatingAt [rating] 2026-11-22T12:00:00.000Z',
        'auditRatingAt [second] 2026-12-21T12:00:00.000Z',
        'stuckRatings 2026-11-21T11:50:00.000Z 1000',
        'reportFindings [ratings] [] now',
      ],
    ],
    [
      'and the registry has none with its hash',
      { script: due },
      [
        'leaseSentRatings localnet now 2026-11-21T12:01:00.000Z 2026-11-21T11:59:00.000Z 20',
        'leaseRatingAudits localnet now 2026-11-21T12:01:00.000Z 20',
        'reportFindings [rating:rating,rating:second] [{kind:rating_hash,subject:rating,taskId:task,settlementId:null,network:localnet,asset:null,atomic:null,detail:the registry holds no rating with the hash of this document,scope:rating:rating},{kind:rating_hash,subject:second,taskId:task,settlementId:null,network:localnet,asset:null,atomic:null,detail:the registry holds no rating with the hash of this document,scope:rating:second}] now',
        'stuckRatings 2026-11-21T11:50:00.000Z 1000',
        'reportFindings [ratings] [] now',
      ],
    ],
    [
      'and is another document',
      { script: due, found: landed, hash: 'other' },
      [
        'leaseSentRatings localnet now 2026-11-21T12:01:00.000Z 2026-11-21T11:59:00.000Z 20',
        'leaseRatingAudits localnet now 2026-11-21T12:01:00.000Z 20',
        'reportFindings [rating:rating,rating:second] [{kind:rating_hash,subject:rating,taskId:task,settlementId:null,network:localnet,asset:null,atomic:null,detail:the document does not hash to what was rated,scope:rating:rating},{kind:rating_hash,subject:second,taskId:task,settlementId:null,network:localnet,asset:null,atomic:null,detail:the document does not hash to what was rated,scope:rating:second}] now',
        'stuckRatings 2026-11-21T11:50:00.000Z 1000',
        'reportFindings [ratings] [] now',
      ],
    ],
    [
      'and is another document, whatever the registry says',
      { script: due, found: 'unread', hash: 'other' },
      [
        'leaseSentRatings localnet now 2026-11-21T12:01:00.000Z 2026-11-21T11:59:00.000Z 20',
        'leaseRatingAudits localnet now 2026-11-21T12:01:00.000Z 20',
        'reportFindings [rating:rating,rating:second] [{kind:rating_hash,subject:rating,taskId:task,settlementId:null,network:localnet,asset:null,atomic:null,detail:the document does not hash to what was rated,scope:rating:rating},{kind:rating_hash,subject:second,taskId:task,settlementId:null,network:localnet,asset:null,atomic:null,detail:the document does not hash to what was rated,scope:rating:second}] now',
        'stuckRatings 2026-11-21T11:50:00.000Z 1000',
        'reportFindings [ratings] [] now',
      ],
    ],
    [
      'and nobody can ask',
      { script: due, found: 'unread' },
      [
        'leaseSentRatings localnet now 2026-11-21T12:01:00.000Z 2026-11-21T11:59:00.000Z 20',
        'leaseRatingAudits localnet now 2026-11-21T12:01:00.000Z 20',
        'reportFindings [] [] now',
        'stuckRatings 2026-11-21T11:50:00.000Z 1000',
        'reportFindings [ratings] [] now',
      ],
    ],
  ])('%s', async (_what, given, lines) => {
    const done = await audited(given)
    expect(done.lines).toEqual(lines)
    expect(done.ended).toBe(0)
  })
})
