import { expect, test } from 'vitest'
import { partOfDirect } from './part-of-direct.ts'

const worker = '0x00000000000000000000000000000000000000aA'
const treasury = '0x00000000000000000000000000000000000000bB'
const intent = {
  title: 'Pay Bruno',
  mostLostUsd: 4.5,
  way: 'direct',
  payee: worker.toLowerCase(),
  amountUsd: 4.5,
  receivedUsd: 3.915,
} as const
const transferTo = (to: string) =>
  ({
    kind: 'document',
    document: { domain: {}, types: {}, primaryType: 'TransferWithAuthorization', message: { to } },
  }) as const

test('of a direct payment each signature says its own amount and receiver, as the wallet will', () => {
  expect(partOfDirect({ intent, subject: transferTo(worker) })).toEqual({ what: 'payout', usd: 3.915, to: worker })
  expect(partOfDirect({ intent, subject: transferTo(treasury) })).toEqual({ what: 'fee', usd: 0.585, to: treasury })
})

test('what is set aside or paid out of escrow is one payment, and no text is a transfer', () => {
  expect(partOfDirect({ intent: { ...intent, way: 'aside' }, subject: transferTo(worker) })).toBeUndefined()
  expect(partOfDirect({ intent, subject: { kind: 'text', text: 'Sign in' } })).toBeUndefined()
})
