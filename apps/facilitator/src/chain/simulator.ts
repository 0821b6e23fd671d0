import type { Address } from '@ergon/protocols'
import type { Surroundings } from '../surroundings/surroundings.ts'
import type { Chain, ChainCall, Simulation } from './chain.ts'

/**
 * What a call of ours would do now. Questions of one turn travel as one batch, and whoever asks the same meanwhile
 * hears the same. Throws `Unavailable` when the node fails.
 */
export type Simulator = { simulate(call: ChainCall): Promise<Simulation> }

type Asked = { readonly call: ChainCall } & Pick<PromiseWithResolvers<Simulation>, 'resolve' | 'reject'>

const maxBatch = 200
/** While so many batches are under way, what comes in gathers for the next. */
const lanes = 4

export function createSimulator(
  chain: Pick<Chain, 'simulate'>,
  from: Address,
  surroundings: Pick<Surroundings, 'turn'>,
): Simulator {
  const underWay = new Map<string, Promise<Simulation>>()
  let waiting: Asked[] = []
  let busy = 0

  const flush = (): void => {
    while (waiting.length > 0 && busy < lanes) {
      const some = waiting.slice(0, maxBatch)
      waiting = waiting.slice(maxBatch)
      busy += 1
      void ask(some).finally(() => {
        busy -= 1
        flush()
      })
    }
  }

  const ask = async (some: readonly Asked[]): Promise<void> => {
    try {
      const answers = await chain.simulate(
        from,
        some.map(({ call }) => call),
      )
      some.forEach(({ resolve, reject }, index) => {
        const answer = answers[index]
        if (answer === undefined) reject(new Error('a simulation has no answer'))
        else resolve(answer)
      })
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }

  return {
    simulate(call) {
      const key = `${call.to ?? ''}${call.data}`
      const known = underWay.get(key)
      if (known !== undefined) return known
      const { promise, resolve, reject } = Promise.withResolvers<Simulation>()
      underWay.set(key, promise)
      const forget = (): void => {
        underWay.delete(key)
      }
      promise.then(forget, forget)
      waiting.push({ call, resolve, reject })
      if (waiting.length === 1) void surroundings.turn().then(flush)
      return promise
    },
  }
}
