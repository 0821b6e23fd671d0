import { expect, test } from 'vitest'
import { encodeType } from '../src/eip712.ts'
import {
  bytesToHex,
  disputeRulingTypedData,
  hashTypedData,
  settlementOfferTypedData,
  type SettlementOfferWords,
} from '../src/index.ts'

const offer: SettlementOfferWords = {
  taskId: '01890a5d-ac96-774b-bcce-b302099a8057',
  payment: `0x${'11'.repeat(32)}`,
  payer: '0x1111111111111111111111111111111111111111',
  worker: '0x2222222222222222222222222222222222222222',
  token: '0x3333333333333333333333333333333333333333',
  workerAmount: 4_000_000n,
  payerAmount: 6_000_000n,
  expiry: 1_764_072_000,
  nonce: `0x${'22'.repeat(32)}`,
}
const ruling = {
  disputeId: 'd',
  taskId: 't',
  arbiter: offer.payer,
  verdict: 'split',
  payerPct: 40,
  reason: 'Half.',
  criteria: ['One.', 'Two.'],
  deadline: 1_764_072_000,
  nonce: offer.nonce,
} as const
const digest = (one: SettlementOfferWords, chainId = 1): string =>
  bytesToHex(hashTypedData(settlementOfferTypedData(one, chainId)))

test('an offer is signed under the words that anybody can rebuild', () => {
  expect(encodeType(settlementOfferTypedData(offer, 1).types, 'SettlementOffer')).toBe(
    'SettlementOffer(string taskId,bytes32 payment,address payer,address worker,address token,uint256 workerAmount,uint256 payerAmount,uint256 expiry,bytes32 nonce)',
  )
  expect(encodeType(disputeRulingTypedData(ruling, 1).types, 'DisputeRuling')).toBe(
    'DisputeRuling(string disputeId,string taskId,address arbiter,string verdict,uint256 payerPct,string reason,string[] criteria,uint256 deadline,bytes32 nonce)',
  )
})

test('every member and the chain are part of what is signed', () => {
  const others: readonly SettlementOfferWords[] = [
    { ...offer, taskId: 'another' },
    { ...offer, payment: offer.nonce },
    { ...offer, payer: offer.token },
    { ...offer, worker: offer.token },
    { ...offer, token: offer.payer },
    { ...offer, workerAmount: 4_000_001n },
    { ...offer, payerAmount: 6_000_001n },
    { ...offer, expiry: offer.expiry + 1 },
    { ...offer, nonce: offer.payment },
  ]
  expect(new Set([digest(offer), digest(offer, 2), ...others.map((one) => digest(one))]).size).toBe(11)
})
