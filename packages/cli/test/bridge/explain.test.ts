import { hashTypedData, lowerAddress, releaseApprovalTypedData, type TypedData } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { explain } from '../../src/bridge/explain.ts'
import { NotSigned } from '../../src/bridge/statement.ts'
import {
  altered,
  lock,
  lockWithWord,
  now,
  offerId,
  release,
  ruling,
  scene,
  settlement,
  submissionId,
  taskId,
  termsOf,
  token,
  transfer,
  wallet,
  worker,
  type Answered,
} from './scene.ts'

const read = ({ body, call }: Answered, at = scene) => explain(body, call, at)
const hash = `0x${'ab'.repeat(32)}`
const attacker = '0x000000000000000000000000000000000000dead'

describe('what a signature does is said in words that come from the document', () => {
  test('a lock', () => {
    const statement = read(lock())
    expect(statement).toMatchObject({ act: 'lock', task: taskId, amount: 1_070_000n, to: worker, token: 'USDC' })
    expect(statement.says.join(' ')).toBe(
      `Hold 1.07 USDC (Local chain, chain 31337) in escrow for task ${taskId}. ` +
        `They are paid to ${worker} when you approve; the fee in them is at most 13 %. ` +
        'The signature can be used until 2027-01-15 09:00 UTC. What is not paid out by 2027-01-23 08:00 UTC you can take back.',
    )
  })
  test('a release', () => {
    const statement = read(release())
    expect(statement).toMatchObject({ act: 'release', task: taskId, amount: 1_070_000n, to: worker })
    expect(statement.payment).toBe(read(lock()).payment)
    expect(statement.says.join(' ')).toBe(
      `Pay 1.07 USDC (Local chain, chain 31337) out of escrow to ${worker} for task ${taskId}. ` +
        'The fee in them is at most 13 %. This cannot be undone. The order can be used until 2027-01-15 08:10 UTC.',
    )
  })
  test('a release of what is left', () => {
    expect(read(release({ amount: 70_000n }))).toMatchObject({ amount: 70_000n })
  })
  test.each([
    ['worker', 930_900n, '0.9309', "the worker's part"],
    ['fee', 139_100n, '0.1391', 'the fee'],
  ] as const)('a direct payment of the %s', (part, amount, words, as) => {
    const statement = read(transfer(part))
    expect(statement).toMatchObject({ act: 'transfer', amount, to: worker, payment: null })
    expect(statement.says.join(' ')).toBe(
      `Pay ${words} USDC (Local chain, chain 31337) at once to ${worker}, as ${as}. ` +
        'This cannot be undone. The signature can be used until 2027-01-15 09:00 UTC.',
    )
  })
  test('an offer to settle, and its acceptance', () => {
    const offer = read(settlement())
    expect(offer).toMatchObject({ act: 'settlement', task: taskId, amount: 500_000n, to: worker })
    expect(offer.payment).toBe(read(lock()).payment)
    expect(offer.says.join(' ')).toBe(
      `Offer to settle task ${taskId} for good: 0.50 USDC (Local chain, chain 31337) to the worker ${worker}, ` +
        'the fee of the market taken out of it, and 0.57 USDC (Local chain, chain 31337) back to the payer ' +
        `${wallet.address.toLowerCase()}. You are the payer. Once the other side accepts, it cannot be undone. ` +
        'The signature can be used until 2027-01-18 08:00 UTC.',
    )
    const accepted = read(settlement({ by: 'accept' }))
    expect(accepted.says[0]).toMatch(/^Settle task /)
    expect(accepted.says[1]).toBe('You are the payer. It cannot be undone.')
  })
  test('a worker who settles spends nothing', () => {
    const sides = { payer: worker, worker: lowerAddress(wallet.address) }
    const statement = read(settlement({ by: 'accept', ...sides }))
    expect(statement).toMatchObject({ amount: 0n })
    expect(statement.says[1]).toMatch('You are the worker.')
  })
  test('a ruling, with its grounds', () => {
    const statement = read(ruling())
    expect(statement).toMatchObject({ act: 'ruling', task: taskId, amount: 0n, payment: null })
    expect(statement.says.join(' ')).toBe(
      `Rule as the arbiter of dispute ${offerId}: 40 % of what is held goes back to the publisher, the rest to the ` +
        'worker. Why: Half of it is there. It goes by: The gate is on it. It goes by: By daylight. Your signature ' +
        'moves no money of yours. Either side may appeal within a day; then the ruling is carried out. ' +
        'It can be handed in until 2027-01-15 09:00 UTC.',
    )
    const all = { verdict: 'release', payerPct: 0, asked: { verdict: 'release', split_pct: undefined } }
    expect(read(ruling(all)).says[0]).toMatch(/all of what is held goes to the worker/)
    const back = { verdict: 'refund', payerPct: 100, asked: { verdict: 'refund', split_pct: undefined } }
    expect(read(ruling(back)).says[0]).toMatch(/goes back to the publisher/)
  })
  test('what is signed is built from the terms that were read, and no member more', () => {
    for (const answered of [lock(), release(), transfer('worker'), settlement(), ruling()]) {
      const action = answered.body['wallet_action'] as { typed_data: TypedData }
      const { document } = read(altered(answered, 'wallet_action.typed_data.message.note', 'unread'))
      expect(hashTypedData(document)).toEqual(hashTypedData(action.typed_data))
      expect(JSON.stringify(document)).not.toContain('unread')
    }
  })
})

const permit = {
  domain: { ...token },
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: {
    owner: wallet.address,
    spender: attacker,
    value: (2n ** 256n - 1n).toString(),
    nonce: '0',
    deadline: '9999999999',
  },
}
const inBlock = (answered: Answered, document: unknown): Answered => {
  const one = altered(answered, 'wallet_action.typed_data', document)
  const two = altered(one, 'wallet_action.paybox.arguments.intent.typedData', document)
  return altered(two, 'wallet_action.ows.arguments.typed_data', JSON.stringify(document))
}
const other = (part: string, value: unknown) => (answered: Answered) => {
  const { typed_data } = answered.body['wallet_action'] as { typed_data: Record<string, Record<string, unknown>> }
  return inBlock(answered, { ...typed_data, [part]: { ...typed_data[part], ...(value as object) } })
}

const lies: readonly (readonly [string, Answered, RegExp])[] = [
  // A document that is not what its terms make.
  ['an unlimited approval in place of a lock', inBlock(lock(), permit), /not the ReceiveWithAuthorization/],
  ['an unlimited approval in place of a release', inBlock(release(), permit), /none that this wallet|payment terms/],
  ['an unlimited approval in place of a transfer', inBlock(transfer('worker'), permit), /not the TransferWithAuth/],
  ['another name of the token', other('domain', { name: 'Permit2' })(lock()), /not the Receive/],
  ['another version of the token', other('domain', { version: '9' })(lock()), /not the Receive/],
  ['another contract', other('domain', { verifyingContract: attacker })(lock()), /not the Receive/],
  ['another chain in the domain', other('domain', { chainId: 8453 })(lock()), /chain 8453 is none/],
  ['a chain nobody knows', other('domain', { chainId: 424_242 })(lock()), /chain 424242 is none/],
  ['another collector', other('message', { to: attacker })(lock()), /not the Receive/],
  ['a larger amount in the document', other('message', { value: '99000000' })(lock()), /not the Receive/],
  ['another nonce', other('message', { nonce: `0x${'00'.repeat(32)}` })(lock()), /not the Receive/],
  ['a document without a type', inBlock(lock(), { ...permit, types: {} }), /cannot be read/],
  // Terms that are consistent and not ours.
  ['a lock that anybody may collect', lock({ collector: attacker }), /collector/],
  ['a lock in an escrow that is not ours', lock({ escrow: attacker }), /nonce/],
  ['a lock under an operator of others', lock({ operator: attacker }), /operator/],
  ['a lock of a token nobody knows', lock({ token: { ...token, verifyingContract: attacker } }), /no known token/],
  [
    'a lock on a chain this wallet does not sign for',
    lock({ chainId: 8453, token: { ...token, chainId: 8453 } }),
    /chain 8453/,
  ],
  ['a lock by another payer', lock({ payer: worker, receiver: attacker }), /payer/],
  ['a lock that pays the payer', lock({ receiver: wallet.address }), /receiver/],
  ['a lock that takes all as a fee', lock({ maxFeeBps: 10_000 }), /fee of 100 %/],
  ['a lock that could be used for a month', lock({ usableSec: 30 * 86_400 }), /more than a day/],
  ['a lock that holds the money for years', lock({ heldSec: 1_000 * 86_400 }), /longer than any task/],
  ['a lock that has ended', lock({ now: now - 7_200 }), /expired/],
  ['a lock for another task', lock({ taskId: '01950000-0000-7000-8000-0000000000ff' }), /another task/],
  ['a release by another payer', release({ info: { ...termsOf(lock()), payer: worker } }), /payer/],
  ['a release to the payer', release({ info: { ...termsOf(lock()), receiver: wallet.address } }), /payee/],
  ['a release whose fee goes elsewhere', release({ info: { ...termsOf(lock()), feeReceiver: attacker } }), /fee would/],
  ['a release under another operator', release({ info: { ...termsOf(lock()), operator: attacker } }), /operator/],
  ['a release with a larger fee', release({ info: { ...termsOf(lock()), maxFeeBps: 5_000 } }), /fee is higher/],
  ['a release of a token nobody knows', release({ info: { ...termsOf(lock()), token: attacker } }), /no known token/],
  ['a release of more than was held', release({ amount: 1_070_001n }), /more than was held/],
  ['a release of nothing', release({ amount: 0n }), /more than was held/],
  ['an order to send the money back', release({ action: 'refundInEscrow' }), /order to refundInEscrow/],
  ['an order that is good for a day', release({ deadline: now + 86_400 }), /15 minutes/],
  ['an order that has ended', release({ deadline: now }), /15 minutes/],
  ['a release on a chain of others', release({ chainId: 8453 }), /chain 8453/],
  ['a settlement between others', settlement({ payer: worker, worker: attacker }), /neither side/],
  ['a settlement with oneself', settlement({ worker: lowerAddress(wallet.address) }), /one wallet/],
  ['a settlement of another task', settlement({ taskId: submissionId }), /another task/],
  ['an acceptance for another task', settlement({ by: 'accept', taskId: submissionId }), /another task/],
  [
    'an acceptance of another payment',
    settlement({ by: 'accept', said: { payment_info_hash: hash } }),
    /another payment/,
  ],
  ['an acceptance of another offer', settlement({ by: 'accept', said: { id: submissionId } }), /another offer/],
  [
    'a larger share than was asked for',
    settlement({ workerAmount: 900_000n, said: { worker_amount_usd: 0.9 } }),
    /share/,
  ],
  ['a larger share than the words say', settlement({ by: 'accept', workerAmount: 900_000n }), /another share/],
  ['less back than the words say', settlement({ by: 'accept', payerAmount: 1n }), /another share/],
  ['a settlement of nothing', settlement({ workerAmount: 0n, payerAmount: 0n }), /divides nothing/],
  ['a settlement that is good for a month', settlement({ expiry: now + 30 * 86_400 }), /14 days/],
  ['a settlement that has ended', settlement({ expiry: now }), /14 days/],
  ['a settlement in a token nobody knows', settlement({ token: attacker }), /no known token/],
  ['a settlement on a chain of others', settlement({ chainId: 8453 }), /chain 8453/],
  [
    'an offer whose nonce is another in the call',
    altered(settlement(), 'wallet_action.how_to_return.arguments.nonce', hash),
    /another nonce/,
  ],
  [
    'an offer whose end is another in the call',
    altered(settlement(), 'wallet_action.how_to_return.arguments.expires_at', '2027-01-16T08:00:00.000Z'),
    /another end/,
  ],
  [
    'an offer with a word more in the call',
    altered(settlement(), 'wallet_action.how_to_return.arguments.note', 'I take it all.'),
    /another call/,
  ],
  ['an unlimited approval in place of a settlement', inBlock(settlement(), permit), /names no task/],
  ['an unlimited approval in place of a ruling', inBlock(ruling(), permit), /names no dispute/],
  ['a ruling of another arbiter', ruling({ arbiter: attacker }), /not this wallet/],
  ['a ruling on another dispute', ruling({ disputeId: submissionId }), /another dispute/],
  ['another verdict than was chosen', ruling({ verdict: 'release', payerPct: 0 }), /another verdict/],
  ['all of it under the word for a split', ruling({ payerPct: 100 }), /not the one of its verdict/],
  ['a release that gives half back', ruling({ verdict: 'release', payerPct: 50 }), /not the one of its verdict/],
  ['another share than was chosen', ruling({ payerPct: 60 }), /another share/],
  ['another reason than was given', ruling({ reason: 'Bought.' }), /another reason/],
  ['a criterion less', ruling({ criteria: ['The gate is on it.'] }), /another criterion/],
  ['a ruling without a criterion', ruling({ criteria: [], asked: { criteria: [] } }), /cites no criterion/],
  ['a ruling that is good for a day', ruling({ deadline: now + 86_400 }), /an hour/],
  ['a ruling that has ended', ruling({ deadline: now }), /an hour/],
  ['a ruling on a chain of others', ruling({ chainId: 8453 }), /chain 8453/],
  [
    'a ruling whose nonce is another in the call',
    altered(ruling(), 'wallet_action.how_to_return.arguments.nonce', hash),
    /another nonce/,
  ],
  [
    'a ruling whose end is another in the call',
    altered(ruling(), 'wallet_action.how_to_return.arguments.deadline', now + 60),
    /another end/,
  ],
  ['a transfer from another wallet', transfer('worker', { from: worker, to: attacker }), /payer/],
  ['a transfer to nobody', transfer('worker', { to: `0x${'00'.repeat(20)}` }), /nobody/],
  ['a transfer to the payer', transfer('worker', { to: wallet.address }), /nobody/],
  ['a transfer of the whole', transfer('worker', { value: 1_070_000n }), /another amount/],
  ['a fee of the whole', transfer('fee', { value: 930_900n }), /another amount/],
  ['a fee before the part of the worker', transfer('fee', { given: { submission_id: submissionId } }), /payload/],
  ['a transfer that is good for days', transfer('worker', { validBefore: now + 86_400 }), /an hour/],
  [
    'a transfer of a token nobody knows',
    transfer('worker', { token: { ...token, verifyingContract: attacker } }),
    /no known token/,
  ],
  // Words that say something else.
  ['a smaller amount in the words', altered(lock(), 'challenge.most_you_can_lose_usd', 1), /another amount/],
  [
    'a smaller amount in the offer',
    altered(lock(), 'challenge.accepts.0.maxAmountRequired', '1000000'),
    /another amount/,
  ],
  ['another token in the offer', altered(lock(), 'challenge.accepts.0.asset', attacker), /another token/],
  ['another network in the offer', altered(lock(), 'challenge.accepts.0.network', 'eip155:8453'), /another network/],
  ['another receiver in the offer', altered(lock(), 'challenge.accepts.0.payTo', attacker), /another receiver/],
  ['another task in the words', altered(lock(), 'challenge.task_id', submissionId), /another task/],
  ['another worker in the words', altered(lock(), 'challenge.executor_id', submissionId), /another worker/],
  ['no words', altered(lock(), 'challenge', undefined), /words beside the block are missing/],
  ['no offer in the words', altered(lock(), 'challenge.accepts', []), /offer beside it/],
  ['another submission in the words', altered(release(), 'challenge.submission_id', taskId), /another submission/],
  ['another task of a release', altered(release(), 'challenge.task_id', submissionId), /another task/],
  ['another amount of a release', altered(release(), 'challenge.gross_amount_usdc', 5), /another amount/],
  [
    'another document for another signer',
    altered(lock(), 'wallet_action.paybox.arguments.intent.typedData', permit),
    /two documents/,
  ],
  [
    'another document as text',
    altered(lock(), 'wallet_action.ows.arguments.typed_data', JSON.stringify(permit)),
    /two documents/,
  ],
  // A way back that leads elsewhere.
  [
    'another tool',
    altered(lock(), 'wallet_action.how_to_return.tool', 'svc_publish_task'),
    /would go to svc_publish_task/,
  ],
  [
    'other arguments',
    altered(lock(), 'wallet_action.how_to_return.arguments.executor_id', attacker),
    /into another call/,
  ],
  [
    'another parameter',
    altered(lock(), 'wallet_action.how_to_return.parameter', 'lifecycle_order'),
    /nothing of this kind/,
  ],
  [
    'a member of every object',
    altered(lock(), 'wallet_action.how_to_return.parameter', 'constructor'),
    /nothing of this kind/,
  ],
  [
    'an envelope of another signature',
    altered(lock(), 'wallet_action.how_to_return.value.payload.paymentInfo.receiver', attacker),
    /nonce/,
  ],
  ['no envelope', altered(lock(), 'wallet_action.how_to_return.value', undefined), /nothing to sign/],
  ['a block of another form', altered(lock(), 'wallet_action.how_to_return', 'here'), /another form/],
]

test.each(lies)('%s is not signed', (_says, answered, why) => {
  expect(() => read(answered)).toThrow(NotSigned)
  expect(() => read(answered)).toThrow(why)
})

describe('the word for silence beside a lock', () => {
  const word = (answered: Answered) => read(answered).besides
  test('is said in words, with the time from which it holds', () => {
    expect(word(lock())).toBeUndefined()
    expect(word(lockWithWord())?.says.join(' ')).toBe(
      'If you say nothing: from 2027-01-18 08:00 UTC to 2027-01-23 08:00 UTC the service may pay these ' +
        `1.07 USDC (Local chain, chain 31337) to ${worker}, once, without asking you, ` +
        'when work was handed in, its required checks passed, and its review ended in silence.',
    )
  })
  test.each<[string, Answered, RegExp]>([
    ['for another payer', lockWithWord({ payer: worker }), /another wallet/],
    ['for every payment', lockWithWord({ payment: `0x${'00'.repeat(32)}` }), /another payment/],
    ['for another payment', lockWithWord({ payment: `0x${'11'.repeat(32)}` }), /another payment/],
    ['for more each time', lockWithWord({ maxPerRelease: 2_000_000n }), /another amount/],
    ['for more in all', lockWithWord({ maxTotal: 2_000_000n }), /another amount/],
    ['for two releases', lockWithWord({ maxCount: 2 }), /more than once/],
    ['from now on', lockWithWord({ notBefore: now }), /before any review/],
    ['past the lock', lockWithWord({ notAfter: now + 300 * 86_400 }), /end with the lock/],
    ['under another operator', lockWithWord({ operator: attacker }), /operator/],
    ['of another token', lockWithWord({ token: attacker }), /no known token/],
    ['that says one thing and is another', lockWithWord({}, { maxCount: 9 }), /not the StandingOrder/],
    ['in another argument', altered(lockWithWord(), 'wallet_action.besides.parameter', 'notes'), /elsewhere/],
    ['in another form', altered(lockWithWord(), 'wallet_action.besides.encoding', 'object'), /another form/],
    ['that is another document', altered(lockWithWord(), 'wallet_action.besides.typed_data', permit), /not the Stand/],
    [
      'beside a release',
      altered(
        release(),
        'wallet_action.besides',
        (lockWithWord().body['wallet_action'] as { besides: unknown }).besides,
      ),
      /only a lock/,
    ],
  ])('%s is refused, and the lock with it', (_says, answered, why) => {
    expect(() => read(answered)).toThrow(NotSigned)
    expect(() => read(answered)).toThrow(why)
  })
})

test('an approval for those who did not sign their request is not signed', () => {
  const document = releaseApprovalTypedData(
    {
      submissionId,
      taskId,
      amount: 1_070_000n,
      token: token.verifyingContract,
      payer: wallet.address,
      deadline: now + 600,
      nonce: `0x${'11'.repeat(32)}`,
    },
    31337,
  )
  const answered = altered(inBlock(release(), document), 'wallet_action.how_to_return.parameter', 'approval')
  expect(() => read(answered)).toThrow(/nothing of this kind/)
})

test('a wallet whose profile names a network signs for no other', () => {
  expect(() => read(lock(), { ...scene, networks: [] })).toThrow(/chain 31337 is none/)
})
