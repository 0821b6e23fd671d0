import type { Rail, RailAnswer, RailOrder } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { soon } from './orders.ts'

/** What a rail must be given so that the contract of `Rail` can be held against it. */
export type RailBench = AsyncDisposable & {
  readonly rail: Rail
  /** Fresh orders, each of which the network would carry out now. */
  readonly orders: Readonly<Record<string, () => Promise<RailOrder>>>
  /** An order the network will never carry out, and the code it is refused with. */
  readonly refused: Readonly<Record<string, () => Promise<{ readonly order: RailOrder; readonly code: string }>>>
  readonly line: {
    /** Everything passes again. */
    restore(): Promise<void>
    /** Nothing that is sent arrives. */
    cut(): Promise<void>
    /** What is sent arrives; no answer comes back. */
    mute(): void
  }
  readonly chainLine: { restore(): Promise<void>; cut(): Promise<void> }
}

const waitMs = 10_000
const patience = 20_000

/** Whatever moves the money: each rail answers these the same way. */
export function describeRail(
  name: string,
  kinds: readonly string[],
  refusals: readonly string[],
  start: () => Promise<RailBench>,
): void {
  describe(`the rail ${name}`, () => {
    let bench: RailBench
    beforeAll(async () => {
      bench = await start()
    })
    afterAll(async () => {
      await bench[Symbol.asyncDispose]()
    })

    const order = async (kind: string): Promise<RailOrder> => {
      const make = bench.orders[kind]
      if (make === undefined) throw new Error(`the bench has no order ${kind}`)
      return make()
    }

    describe.each(kinds)(
      '%s',
      (kind) => {
        test('is absent before it is sent, settled when it was, and found under the same transaction', async () => {
          const { rail } = bench
          const fresh = await order(kind)
          expect(await rail.find(fresh)).toMatchObject({ state: 'absent' })
          const settled = await rail.send(fresh, waitMs, soon())
          expect(settled).toMatchObject({
            outcome: 'settled',
            txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
            blockNumber: expect.any(BigInt),
            logIndex: expect.any(Number),
          })
          if (settled.outcome !== 'settled') return
          const { outcome: _, ...place } = settled
          expect(await rail.find(fresh)).toEqual({ state: 'landed', ...place })
        })

        test('sent again under its key answers the first settlement', async () => {
          const { rail } = bench
          const fresh = await order(kind)
          const first = await rail.send(fresh, waitMs, soon())
          expect(first.outcome).toBe('settled')
          expect(await rail.send(fresh, waitMs, soon())).toEqual(first)
        })

        test('sent twice at once moves money once', async () => {
          const { rail } = bench
          const fresh = await order(kind)
          const answers = await Promise.all([rail.send(fresh, waitMs, soon()), rail.send(fresh, waitMs, soon())])
          expect(new Set(answers.map(hashOf)).size).toBe(1)
          expect(answers.map(({ outcome }) => outcome)).toEqual(['settled', 'settled'])
        })

        test('is unavailable while nothing can be sent, and settles afterwards', async () => {
          const { rail, line } = bench
          const fresh = await order(kind)
          await line.cut()
          try {
            expect(await rail.send(fresh, waitMs, soon())).toEqual({ outcome: 'unavailable', sent: false })
            expect(await rail.find(fresh)).toMatchObject({ state: 'absent' })
          } finally {
            await line.restore()
          }
          expect((await rail.send(fresh, waitMs, soon())).outcome).toBe('settled')
        })

        test('is unknown when the answer does not come; the chain then names it, and sending it again moves nothing more', async () => {
          const { rail, line } = bench
          const fresh = await order(kind)
          line.mute()
          try {
            expect(await rail.send(fresh, 400, soon())).toMatchObject({ outcome: 'unknown' })
            const found = await landed(rail, fresh)
            expect(found.state).toBe('landed')
            await line.cut()
            await line.restore()
            expect(await rail.send(fresh, waitMs, soon())).toEqual({ ...found, state: undefined, outcome: 'settled' })
          } finally {
            await line.restore()
          }
        })

        test('is not called settled on the word of another while the chain cannot be read', async () => {
          const { rail, chainLine } = bench
          const fresh = await order(kind)
          await chainLine.cut()
          try {
            expect((await rail.send(fresh, 1_000, soon())).outcome).toMatch(/^(?:unknown|unavailable)$/)
            await expect(rail.find(fresh)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
          } finally {
            await chainLine.restore()
          }
          expect((await landed(rail, fresh)).state).toBe('landed')
        })
      },
      patience,
    )

    test.each(refusals)('refuses %s by its code, and nothing moves', async (which) => {
      const made = await bench.refused[which]?.()
      if (made === undefined) throw new Error(`the bench has no refused order ${which}`)
      expect(await answered(bench.rail, made.order)).toMatchObject({ outcome: 'refused', code: made.code })
      expect(await bench.rail.find(made.order)).toMatchObject({ state: 'absent' })
    })
  })
}

/** The lines were cut just before: whoever kept a connection may find it dead once, says so, and moved nothing. */
async function answered(rail: Rail, order: RailOrder): Promise<RailAnswer> {
  const first = await rail.send(order, waitMs, soon())
  return first.outcome === 'unavailable' ? rail.send(order, waitMs, soon()) : first
}

function hashOf(answer: RailAnswer): string | undefined {
  return answer.outcome === 'settled' ? answer.txHash : undefined
}

async function landed(rail: Rail, order: RailOrder): Promise<Awaited<ReturnType<Rail['find']>>> {
  const until = performance.now() + patience / 2
  for (;;) {
    const found = await rail.find(order)
    if (found.state === 'landed' || performance.now() > until) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
