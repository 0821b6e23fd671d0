import { expect, test } from 'vitest'
import { createFewAtOnce } from '../src/few-at-once.ts'

/** Work that ends when it is told to. */
function rig(options: { readonly patienceMs: number | null }) {
  const runs: (() => void)[] = []
  const line = createFewAtOnce(() => new Promise<void>((resolve) => runs.push(resolve)), options)
  return { runs, line }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('many calls of one moment are one run, and all that come while it goes on are the next', async () => {
  const { runs, line } = rig({ patienceMs: 60_000 })
  for (let count = 0; count < 10; count += 1) line.call()
  await turn()
  expect(runs.length).toBe(1)
  for (let count = 0; count < 10; count += 1) line.call()
  await turn()
  expect(runs.length).toBe(1)
  runs[0]?.()
  await turn()
  expect(runs.length).toBe(2)
  runs[1]?.()
  await turn()
  expect(runs.length).toBe(2)
})

test('a run that does not end keeps the next one waiting for a moment only', async () => {
  const { runs, line } = rig({ patienceMs: 20 })
  line.call()
  await turn()
  line.call()
  await expect.poll(() => runs.length).toBe(2)
})
