import { leftBehind } from '@ergon/dev-env/testing'
import { expect, test } from 'vitest'
import type { SessionDeps } from '../src/session/deps.ts'
import { startDuties } from '../src/settle/duties.ts'

/** What a round of duties that do nothing may leave: a race against a promise for good leaves over 300. */
const mostBytes = 60

test('rounds of duties leave nothing behind', async () => {
  let done = (): void => undefined
  const duty = async (): Promise<void> => {
    done()
  }
  // The duty asks for nothing.
  await using _running = startDuties({} as SessionDeps, { everyMs: 0, duties: [duty] })
  const left = await leftBehind({ times: 2_000 }, () => new Promise<void>((resolve) => (done = resolve)))
  expect(left).toBeLessThan(mostBytes)
})
