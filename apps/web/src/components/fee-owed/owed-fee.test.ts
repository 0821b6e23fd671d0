import { ErgonError } from '@ergon/sdk'
import { expect, test } from 'vitest'
import { readOwedFee } from './owed-fee.ts'

const details = {
  task_id: 't',
  network: 'base',
  token: 'USDC',
  required_usdc: 1.3,
  wallet_address: '0xaa',
  is_under_way: false,
  challenge: '/api/v1/tasks/t/fee/challenge',
}
const refusal = (code: string, said: Readonly<Record<string, unknown>>): ErgonError =>
  new ErgonError({ status: 402, code, message: 'no', retryable: false, recovery: '', details: said })

test('a refusal for an unpaid fee says what is owed, in what, where and by whom', () => {
  expect(readOwedFee(refusal('FEE_UNPAID', details))).toEqual({
    taskId: 't',
    network: 'base',
    token: 'USDC',
    amountUsd: 1.3,
    wallet: '0xaa',
    isUnderWay: false,
  })
  expect(readOwedFee(refusal('FEE_UNPAID', { ...details, is_under_way: true }))?.isUnderWay).toBe(true)
  for (const other of [
    refusal('INSUFFICIENT_FUNDS', details),
    refusal('FEE_UNPAID', { task_id: 't' }),
    new Error('FEE_UNPAID'),
    undefined,
  ])
    expect(readOwedFee(other)).toBeUndefined()
})
