import { ErgonError, type OperationsClient } from '@ergon/sdk'
import { expect, test, vi } from 'vitest'
import { learnLost } from './lost-answer.ts'

type Said = { readonly state: string; readonly status?: number | null; readonly answer?: unknown }
type Asked = (input: { readonly key: string }) => Promise<Said>

const refusal = (status: number, retryable: boolean) =>
  new ErgonError({ status, code: status === 0 ? 'unreachable' : 'FORBIDDEN', message: '', retryable, recovery: '' })
const lost = refusal(0, true).underKey('r1-key')

function learn(get: Asked, online: readonly boolean[] = [], error: unknown = lost) {
  const line = [...online]
  // What is asked of it is this one operation.
  const market = { operations: { get } } as unknown as Pick<OperationsClient, 'operations'>
  return learnLost(market, error, { isOnline: () => line.shift() ?? true, wait: () => Promise.resolve() })
}

test('what was made is learned by its key, once the line is back and it is over', async () => {
  const get = vi
    .fn<Asked>()
    .mockRejectedValueOnce(refusal(0, true))
    .mockResolvedValueOnce({ state: 'in_flight' })
    .mockResolvedValue({ state: 'done', status: 201, answer: { id: 'm' } })
  expect(await learn(get, [false, false])).toEqual({ answer: { id: 'm' } })
  expect(get.mock.calls).toEqual([1, 2, 3].map(() => [{ key: 'r1-key' }]))
})

test.each([
  { state: 'not_seen', status: null },
  { state: 'in_doubt', status: null },
  { state: 'done', status: 409, answer: { code: 'CONFLICT' } },
])('what was not made, or refused, is no success: %j', async (said) => {
  expect(await learn(() => Promise.resolve(said))).toBeUndefined()
})

test('nobody asks where an answer came, without a key, as another person, or for ever', async () => {
  const get = vi.fn<Asked>(() => Promise.reject(refusal(403, false)))
  expect(await learn(get, [], refusal(409, false).underKey('r1-key'))).toBeUndefined()
  expect(await learn(get, [], refusal(0, true))).toBeUndefined()
  expect(get).not.toHaveBeenCalled()
  expect(await learn(get)).toBeUndefined()
  expect(get).toHaveBeenCalledTimes(1)
  expect(await learn(() => Promise.reject(refusal(0, true)))).toBeUndefined()
})
