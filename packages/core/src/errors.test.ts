import { expect, test } from 'vitest'
import { MarketError } from './errors.ts'

test('an expected error is known by its code, and says no more than it was given', () => {
  const error = new MarketError('TASK_NOT_FOUND')
  expect([error.name, error.code, error.message]).toEqual(['MarketError', 'TASK_NOT_FOUND', 'TASK_NOT_FOUND'])
  expect([error.details, error.hasOwnMessage, 'cause' in error]).toEqual([{}, false, false])
})

test('an expected error may have words of its own, and a cause', () => {
  const cause = new Error('down')
  const error = new MarketError('CHAIN_UNAVAILABLE', { network: 'localnet' }, { message: 'Ask again.', cause })
  expect([error.message, error.hasOwnMessage, error.cause]).toEqual(['Ask again.', true, cause])
  expect(error.details).toEqual({ network: 'localnet' })
})
