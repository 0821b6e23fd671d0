import { expect, test } from 'vitest'
import { typedOffer } from './typed-offer.ts'

const task_id = '0199a0c0-0000-7000-8000-000000000001'

test.each([
  ['en', '1.5', 1.5],
  ['en', '1,5', 1.5],
  ['en', '1,000', 1_000],
  ['en', '0', 0],
  ['es', '1,5', 1.5],
  ['es', '1.000', 1_000],
  ['es', '1.000,50', 1_000.5],
])('a reader in %s who types %s offers %d dollars', (locale, typed, worker_amount_usd) => {
  expect(typedOffer(task_id, typed, locale)).toEqual({ offer: { task_id, worker_amount_usd } })
})

test.each([
  ['en', '', 'required'],
  ['en', 'half', 'no_number'],
  ['en', '1e2', 'no_number'],
  ['en', '0x10', 'no_number'],
  ['en', '1.000', 'no_number'],
  ['es', '1,000', 'no_number'],
])('a reader in %s who types "%s" is told what is wrong with it', (locale, typed, rule) => {
  expect(typedOffer(task_id, typed, locale)).toMatchObject({ faults: { worker_amount_usd: { rule } } })
})
