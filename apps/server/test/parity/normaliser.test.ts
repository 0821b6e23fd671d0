import { expect, test } from 'vitest'
import { normalised } from './normaliser.ts'

const someId = '01890000-0000-7000-8000-000000000000'

test('ids, times and transactions are compared as being there, everything else as it is', () => {
  const task = {
    id: someId,
    created_at: '2026-11-21T12:00:00Z',
    escrow_tx: null,
    status: 'published',
    bounty_usd: 1.07,
    worker_wallet: '0x11',
    parts: [{ task_id: someId, score: 3 }],
  }
  expect(normalised(task)).toEqual({
    id: 'an id',
    created_at: 'a time',
    escrow_tx: null,
    status: 'published',
    bounty_usd: 1.07,
    worker_wallet: '0x11',
    parts: [{ task_id: 'an id', score: 3 }],
  })
})

test('where a challenge is fetched is compared, what a protocol says about the wallet is not', () => {
  expect(
    normalised({
      code: 'X',
      wallet_action: {},
      challenge: {},
      details: { challenge: `/api/v1/tasks/${someId}/assign/challenge` },
    }),
  ).toEqual({ code: 'X', details: { challenge: '/api/v1/tasks/an id/assign/challenge' } })
})
