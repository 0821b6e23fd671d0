import { ErgonError } from '@ergon/sdk'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { orNone, type Ruling } from './use-ruling.ts'

const refusal = (code: string): ErgonError =>
  new ErgonError({ status: 404, code, message: 'no', retryable: false, recovery: '' })

test('that nobody has ruled is still known while it is asked again', async () => {
  const answers = [Promise.reject<Ruling>(refusal('RULING_NOT_FOUND')), new Promise<Ruling>(() => undefined)]
  const observer = new QueryObserver<Ruling | null>(new QueryClient(), {
    queryKey: ['ruling'],
    queryFn: () => orNone(answers.shift() ?? Promise.reject(new Error('asked too often'))),
    retry: false,
  })
  await observer.refetch()
  void observer.refetch()
  expect(observer.getCurrentResult()).toMatchObject({ data: null, error: null, status: 'success' })
})

test('any other refusal leaves it open', async () => {
  await expect(orNone(Promise.reject(refusal('DISPUTE_NOT_FOUND')))).rejects.toMatchObject({
    code: 'DISPUTE_NOT_FOUND',
  })
})
