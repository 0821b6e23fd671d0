import { expect, test } from 'vitest'
import { createTogether } from './together.ts'

test('whoever comes while ten thousand wait is told that the service is busy, and those before are answered', async () => {
  const ask = createTogether<number, number>((asked) => Promise.resolve(asked), { most: 10_000 })
  const all = Array.from({ length: 10_000 }, (_, index) => ask(index))
  await expect(ask(10_000)).rejects.toThrow('SERVICE_BUSY')
  expect((await Promise.all(all)).at(-1)).toBe(9_999)
})
