import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import type { Offer } from '../settlement-offers/offer.ts'
import { plainSignature } from '../testing/fake-ports.ts'
import { linesOf, refusalOf, scriptedNow } from '../testing/scripted-deps.ts'
import { direct, offer, payment } from '../testing/scripted-money.ts'
import { offerStage, publisher, stranger, worker, type OfferGiven } from '../testing/scripted-offers.ts'
import { acceptChallenge, acceptOffer, type AcceptInput } from './accept-offer.ts'

const now = scriptedNow
const lineOf = (value: unknown): string => linesOf([['answer', value]])[0] ?? ''
const pay = (to: string, atomic: number, nonce: string) =>
  JSON.stringify({ from: 'payer', to, amount: String(atomic), nonce })
const payments = { payout: pay('receiver', 5_220_000, '0x07'), fee: pay('treasury', 780_000, '0x08') }
const signed = (by: WalletCaller, change: Partial<AcceptInput> = {}): AcceptInput => ({
  signature: plainSignature(by.wallet, '0x01'),
  order: null,
  payments: null,
  ...change,
})
const words = (toWorker: bigint, of: string | null = 'hash'): Pick<Offer, 'words'> => ({
  words: { ...offer().words, payment: of, toWorker, toPayer: 10_000_000n - toWorker },
})
const theirs = { side: 'publisher' } as const
const order = { signer: 'payer', deadline: 1, nonce: '0x09', signature: '0x' }
const settledBy = (side: Offer['side'], change: Partial<Offer> = {}) => {
  const open = offer({ status: 'open', answer: null, side, ...change })
  let reads = 0
  return { offer: () => ((reads += 1) === 1 ? open : { ...open, status: 'settled' }), lockOffer: open }
}

describe('what the other side signs', () => {
  test.each<[string, OfferGiven, WalletCaller, string]>([
    [
      'its publisher: the words and the release of the share',
      {},
      publisher,
      'answer {typedData:{nonce:0x01},release:{typedData:{amount:6000000},deadline:1795263000,nonce:0x…1},asked:null}',
    ],
    [
      'its publisher, of nothing to the worker: the words',
      { offer: words(0n) },
      publisher,
      'answer {typedData:{nonce:0x01},release:null,asked:null}',
    ],
    ['its worker: the words', { offer: theirs }, worker, 'answer {typedData:{nonce:0x01},release:null,asked:null}'],
    [
      'its publisher, where nobody holds it: the words and the payments',
      { task: { ...direct, id: 'dad0' }, offer: words(6_000_000n, null) },
      publisher,
      'answer {typedData:{nonce:0x01},release:null,asked:{payout:{typedData:{},envelope:{from:payer,to:receiver,amount:5220000,nonce:0x0000000000000000000000000000dad001000000000000000000000000000001},expiresAt:2026-11-21T13:00:00.000Z},fee:{typedData:{},envelope:{from:payer,to:treasury,amount:780000,nonce:0x0000000000000000000000000000dad002000000000000000000000000000002},expiresAt:2026-11-21T13:00:00.000Z}}}',
    ],
    [
      'its worker, where nobody holds it: the words',
      { task: direct, offer: { ...theirs, ...words(6_000_000n, null) } },
      worker,
      'answer {typedData:{nonce:0x01},release:null,asked:null}',
    ],
  ])('%s', async (_what, given, by, answer) => {
    const { typedData, release, payments: asked } = await acceptChallenge(offerStage(given).deps, by, 'offer')
    expect(lineOf({ typedData, release, asked })).toEqual(answer)
  })
  test.each<[string, OfferGiven, WalletCaller, unknown]>([
    ['by its maker', {}, worker, ['FORBIDDEN', { offer_id: 'offer' }]],
    ['by a stranger', {}, stranger, ['FORBIDDEN', { task_id: 'task' }]],
    ['that is not there', { script: { offer: null } }, publisher, ['OFFER_NOT_FOUND', { offer_id: 'offer' }]],
    [
      'whose time is over',
      { offer: { expiresAt: now } },
      publisher,
      ['OFFER_NOT_OPEN', { offer_id: 'offer', status: 'expired' }],
    ],
    [
      'that was refused',
      { offer: { status: 'refused' } },
      publisher,
      ['OFFER_NOT_OPEN', { offer_id: 'offer', status: 'refused' }],
    ],
    [
      'to a worker who has it no more',
      { offer: { executorId: 'other' } },
      publisher,
      ['OFFER_NOT_OPEN', { offer_id: 'offer', status: 'withdrawn' }],
    ],
    [
      'of a task that is over',
      { task: { status: 'completed' } },
      publisher,
      ['OFFER_NOT_OPEN', { task_id: 'task', status: 'completed' }],
    ],
    [
      'of more than is held by now',
      { before: (chain) => void chain.capture(payment.hash, 1n) },
      publisher,
      ['OFFER_NOT_OPEN', { offer_id: 'offer', offered: '10000000', held: '9999999' }],
    ],
    [
      'of another payment',
      { offer: words(6_000_000n, 'other') },
      publisher,
      ['OFFER_NOT_OPEN', { offer_id: 'offer', offered: '10000000', held: '10000000' }],
    ],
  ])('no offer %s', async (_what, given, by, refused) => {
    expect(await refusalOf(() => acceptChallenge(offerStage(given).deps, by, 'offer'))).toEqual(refused)
  })
})

describe('an offer is accepted', () => {
  test.each<[string, OfferGiven, WalletCaller, Partial<AcceptInput>, readonly string[]]>([
    [
      'and divides what is held',
      { script: () => settledBy('worker') },
      publisher,
      {},
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockOffer offer',
        'lockRulingOf task',
        'endOffer offer accepted payer signs 0x01 null',
        'addEvent {id:#1,type:settlement.accepted,taskId:task,at:now,data:{task_id:task,offer_id:offer,worker_amount:6,payer_amount:4}}',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:false,rating:null,offerId:offer,taskId:task,purpose:award,subject:hash,order:{payment:hash,issuedAt:1795262400,kind:capture,key:award:hash:#2,amount:6000000n USDC,order:null},id:#2,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:true,rating:null,offerId:offer,taskId:task,purpose:remainder,subject:hash,order:{payment:hash,issuedAt:1795262400,kind:void,key:remainder:hash:#3,amount:4000000n USDC},id:#3,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:releasing} now',
      ],
    ],
    [
      'and divides it by the order of its payer',
      { script: () => settledBy('worker') },
      publisher,
      { order },
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockOffer offer',
        'lockRulingOf task',
        'endOffer offer accepted payer signs 0x01 null',
        'addEvent {id:#1,type:settlement.accepted,taskId:task,at:now,data:{task_id:task,offer_id:offer,worker_amount:6,payer_amount:4}}',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:false,rating:null,offerId:offer,taskId:task,purpose:award,subject:hash,order:{payment:hash,issuedAt:1795262400,kind:capture,key:award:hash:#2,amount:6000000n USDC,order:{signer:payer,deadline:1,nonce:0x09,signature:0x}},id:#2,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:true,rating:null,offerId:offer,taskId:task,purpose:remainder,subject:hash,order:{payment:hash,issuedAt:1795262400,kind:void,key:remainder:hash:#3,amount:4000000n USDC},id:#3,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:releasing} now',
      ],
    ],
    [
      'and divides it, without an order of a worker',
      { offer: theirs, script: () => settledBy('publisher') },
      worker,
      { order },
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockOffer offer',
        'lockRulingOf task',
        'endOffer offer accepted receiver signs 0x01 null',
        'addEvent {id:#1,type:settlement.accepted,taskId:task,at:now,data:{task_id:task,offer_id:offer,worker_amount:6,payer_amount:4}}',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:false,rating:null,offerId:offer,taskId:task,purpose:award,subject:hash,order:{payment:hash,issuedAt:1795262400,kind:capture,key:award:hash:#2,amount:6000000n USDC,order:null},id:#2,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:true,rating:null,offerId:offer,taskId:task,purpose:remainder,subject:hash,order:{payment:hash,issuedAt:1795262400,kind:void,key:remainder:hash:#3,amount:4000000n USDC},id:#3,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:releasing} now',
      ],
    ],
    [
      'and all of it goes to the worker',
      { offer: words(10_000_000n), script: () => settledBy('worker', words(10_000_000n)) },
      publisher,
      {},
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockOffer offer',
        'lockRulingOf task',
        'endOffer offer accepted payer signs 0x01 null',
        'addEvent {id:#1,type:settlement.accepted,taskId:task,at:now,data:{task_id:task,offer_id:offer,worker_amount:10,payer_amount:0}}',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:false,rating:null,offerId:offer,taskId:task,purpose:award,subject:hash,order:{payment:hash,issuedAt:1795262400,kind:capture,key:award:hash:#2,amount:10000000n USDC,order:null},id:#2,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:releasing} now',
      ],
    ],
    [
      'and all of it goes back',
      { offer: words(0n), script: () => settledBy('worker', words(0n)) },
      publisher,
      { order },
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockOffer offer',
        'lockRulingOf task',
        'endOffer offer accepted payer signs 0x01 null',
        'addEvent {id:#1,type:settlement.accepted,taskId:task,at:now,data:{task_id:task,offer_id:offer,worker_amount:0,payer_amount:10}}',
        'ledgerBalance USDC escrow:hash',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:false,rating:null,offerId:offer,taskId:task,purpose:return,subject:hash,order:{kind:void,key:return:localnet:hash:#2,payment:hash,amount:10000000n USDC,issuedAt:1795262400},id:#2,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:refunding} now',
      ],
    ],
    [
      'and nobody holds it, and nothing is paid',
      { task: direct, offer: words(0n, null), script: () => settledBy('worker', words(0n, null)) },
      publisher,
      {},
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockOffer offer',
        'lockRulingOf task',
        'endOffer offer accepted payer signs 0x01 null',
        'addEvent {id:#1,type:settlement.accepted,taskId:task,at:now,data:{task_id:task,offer_id:offer,worker_amount:0,payer_amount:10}}',
        'lockSubmission submission',
        'decideSubmission submission {status:rejected,at:now,reason:Publisher and worker settled it between themselves.}',
        'moveTask task cancelled now {}',
        'addEvent {id:#2,type:task.cancelled,taskId:task,at:now,data:{task_id:task,refund_tx:null}}',
        'endOffer offer settled null now',
        'lockOffers task',
        'changeTask task {turn:null} now',
        'lockDisputeOf submission',
      ],
    ],
    [
      'and nobody holds it, and the publisher pays',
      { task: direct, offer: words(6_000_000n, null), script: () => settledBy('worker', words(6_000_000n, null)) },
      publisher,
      { payments },
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockOffer offer',
        'lockRulingOf task',
        'endOffer offer accepted payer signs 0x01 null',
        'addEvent {id:#1,type:settlement.accepted,taskId:task,at:now,data:{task_id:task,offer_id:offer,worker_amount:6,payer_amount:4}}',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:false,rating:null,offerId:offer,taskId:task,purpose:payout,subject:payout:submission,order:{kind:charge,key:charge:localnet:0x07:#2,transfer:{network:localnet,amount:5220000n USDC,token:token,from:payer,to:receiver,validAfter:0n,validBefore:1795266000n,nonce:0x07,signature:0x}},id:#2,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:true,rating:null,offerId:offer,taskId:task,purpose:fee,subject:fee:submission,order:{kind:charge,key:charge:localnet:0x08:#3,transfer:{network:localnet,amount:780000n USDC,token:token,from:payer,to:treasury,validAfter:0n,validBefore:1795266000n,nonce:0x08,signature:0x}},id:#3,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
      ],
    ],
    [
      'and nobody holds it, and the publisher has paid with its offer',
      { task: direct, script: () => settledBy('publisher', { ...words(6_000_000n, null), payments }) },
      worker,
      {},
      [
        'lockTask task',
        'hasOpenSettlement task',
        'lockOffer offer',
        'lockRulingOf task',
        'endOffer offer accepted receiver signs 0x01 null',
        'addEvent {id:#1,type:settlement.accepted,taskId:task,at:now,data:{task_id:task,offer_id:offer,worker_amount:6,payer_amount:4}}',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:false,rating:null,offerId:offer,taskId:task,purpose:payout,subject:payout:submission,order:{kind:charge,key:charge:localnet:0x07:#2,transfer:{network:localnet,amount:5220000n USDC,token:token,from:payer,to:receiver,validAfter:0n,validBefore:1795266000n,nonce:0x07,signature:0x}},id:#2,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'claimSettlement {submissionId:submission,executorId:executor,mustLand:true,rating:null,offerId:offer,taskId:task,purpose:fee,subject:fee:submission,order:{kind:charge,key:charge:localnet:0x08:#3,transfer:{network:localnet,amount:780000n USDC,token:token,from:payer,to:treasury,validAfter:0n,validBefore:1795266000n,nonce:0x08,signature:0x}},id:#3,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
      ],
    ],
  ])('%s', async (_what, given, by, change, lines) => {
    const { deps, asked } = offerStage(given)
    const done = await acceptOffer(deps, by, 'offer', signed(by, change))
    expect(done.state).toBe('settled')
    const begun = asked.findIndex(([name]) => name === 'transaction') + 1
    const end = asked.findIndex(([name], index) => name === 'transaction' && index > begun)
    expect(linesOf(asked.slice(begun, end < 0 ? -1 : end))).toEqual(lines)
  })

  test.each<[string, OfferGiven, WalletCaller, Partial<AcceptInput>, unknown]>([
    [
      'that was not signed',
      {},
      publisher,
      { signature: 'no' },
      [
        'INVALID_SIGNATURE',
        { reason: 'the offer is not signed by who accepts it', network: 'localnet', required_usdc: 6 },
      ],
    ],
    [
      'that a task does not hold any more',
      { before: (chain) => void chain.capture(payment.hash, 1n) },
      publisher,
      {},
      ['OFFER_NOT_OPEN', { offer_id: 'offer', offered: '10000000', held: '9999999' }],
    ],
    [
      'whose money can be taken back by now',
      { script: { escrowPayment: { ...payment, authorizationExpiry: now.getTime() / 1_000 } } },
      publisher,
      {},
      ['AUTHORIZATION_EXPIRED', { task_id: 'task' }],
    ],
    [
      'by an order of another',
      {},
      publisher,
      { order: { ...order, signer: 'other' } },
      ['LIFECYCLE_ORDER_INVALID', {}],
    ],
    [
      'without its payments',
      { task: direct, offer: words(6_000_000n, null) },
      publisher,
      {},
      ['PAYMENT_AUTH_MISSING', { fields: ['settlement_auth_worker', 'settlement_auth_fee'] }],
    ],
    [
      'of more than its payer has',
      { task: { ...direct }, offer: words(6_000_000n, null), before: (chain) => chain.fund('payer', -10_000_000n) },
      publisher,
      { payments },
      ['INSUFFICIENT_FUNDS', { network: 'localnet', required_usdc: 6, balance_usdc: 0, wallet_address: 'payer' }],
    ],
    ['of a task that went meanwhile', { current: null }, publisher, {}, ['OFFER_NOT_FOUND', { offer_id: 'offer' }]],
    [
      'while money is under way',
      { script: { hasOpenSettlement: true } },
      publisher,
      {},
      ['APPROVAL_IN_FLIGHT', { offer_id: 'offer' }],
    ],
    ['that went meanwhile', { script: { lockOffer: null } }, publisher, {}, ['OFFER_NOT_FOUND', { offer_id: 'offer' }]],
    [
      'that was accepted meanwhile',
      { script: { lockOffer: offer() } },
      publisher,
      {},
      ['OFFER_NOT_OPEN', { offer_id: 'offer', status: 'accepted' }],
    ],
    [
      'after a ruling',
      { script: { lockRulingOf: { verdict: 'release', status: 'standing' } } },
      publisher,
      {},
      ['OFFER_NOT_OPEN', { task_id: 'task', ruling: 'release', ruling_status: 'standing' }],
    ],
    [
      'whose money another claim moves',
      { script: { claimSettlement: false } },
      publisher,
      {},
      ['APPROVAL_IN_FLIGHT', { offer_id: 'offer' }],
    ],
    [
      'whose money the chain does not move',
      {
        before: (chain) => {
          chain.fault = (method) => (method === 'send' ? 'refused' : 'none')
        },
      },
      publisher,
      {},
      ['LOCK_REVERTED', { offer_id: 'offer' }],
    ],
  ])('but not one %s', async (_what, given, by, change, refused) => {
    const { deps, chain } = offerStage(given)
    expect(await refusalOf(() => acceptOffer(deps, by, 'offer', signed(by, change)))).toEqual(refused)
    expect(chain.landings).toEqual([])
  })

  test('and is settling while nobody knows where the money is', async () => {
    const { deps, chain, of } = offerStage({})
    chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
    expect((await acceptOffer(deps, publisher, 'offer', signed(publisher))).state).toBe('settling')
    expect(of('claimSettlement')).toHaveLength(2)
  })
  test('for what the worker handed in, where it did', async () => {
    const { deps, of } = offerStage({
      script: { ...settledBy('worker'), submissions: [{ id: 'other', executorId: 'other' }] },
    })
    await acceptOffer(deps, publisher, 'offer', signed(publisher))
    expect(of('claimSettlement').map(([one]) => (one as { submissionId: unknown }).submissionId)).toEqual([null, null])
  })
})
