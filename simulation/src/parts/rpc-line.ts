import type { RpcAnswer } from '../chain/node.ts'
import type { Faults } from '../world/faults.ts'
import type { Host, Life } from '../world/host.ts'
import { LineFault } from '../world/network.ts'
import type { Random } from '../world/random.ts'
import type { ChainDriver, Request } from './chain-driver.ts'

/** What a node answers that follows the chain some blocks late, for as long as the world is rough. */
const lateFaults = ['blocks behind'] as const
const rpcFaults = [
  'refused',
  'lost',
  'held',
  'cut',
  'answer lost',
  'answer held',
  'node error',
  'one behind',
  'one behind',
  'one behind',
  'two behind',
  'asker crashes',
] as const

export type RpcLineDeps = {
  readonly driver: ChainDriver
  readonly random: Random
  readonly faults: Faults
  readonly share: number
  /** How often a call reaches the node that is late. */
  readonly lateShare: number
  readonly crash: (host: Host, random: Random) => void
}

/** One batch to a node of the chain. @throws LineFault */
export type AskChain = (life: Life, requests: readonly Request[], timeoutMs: number) => Promise<readonly RpcAnswer[]>

const broken: RpcAnswer = { error: { code: -32603, message: 'internal error' } }

function hold(random: Random): number {
  return random.between(300, 25_000)
}

/** A process's line to its node. What only reads is asked and answered in one moment; a broadcast takes two. */
export function createRpcLine(deps: RpcLineDeps): AskChain {
  const { driver, random, faults } = deps
  const menu = { share: deps.share, kinds: rpcFaults }
  const lateMenu = { share: deps.lateShare, kinds: lateFaults }
  return (life, requests, timeoutMs) =>
    new Promise((resolve, reject) => {
      const label = `${life.name} asks the chain ${requests[0]?.method ?? ''}`
      const writes = requests.some(({ method }) => method === 'eth_sendRawTransaction')
      const fault = faults.at(label, menu) ?? faults.at(label, lateMenu)
      const untime = life.after(timeoutMs, () => {
        reject(new LineFault('no answer in time', true))
      })
      const fail = (ms: number, sent: boolean): void => {
        life.after(ms, () => {
          untime()
          reject(new LineFault('cut', sent))
        })
      }
      const answer = (ms: number, lag: number, back: (answers: readonly RpcAnswer[]) => void): void => {
        // A transaction on its way arrives even when its sender has died.
        const arrive = (): void => {
          back(driver.ask(requests, lag))
        }
        if (writes) deps.driver.after(ms, label, arrive)
        else life.after(ms, arrive, label)
      }
      const give = (answers: readonly RpcAnswer[]): void => {
        untime()
        resolve(answers)
      }
      const late = (answers: readonly RpcAnswer[], ms: number): void => {
        life.after(
          ms,
          () => {
            give(answers)
          },
          `${label} answered`,
        )
      }
      const soon = random.chance(0.95) ? random.between(0.2, 4) : random.between(4, 90)
      switch (fault?.kind) {
        case 'refused':
          fail(soon, false)
          return
        case 'lost':
          return
        case 'cut':
          fail(soon, true)
          return
        case 'held':
          answer(hold(fault.random), 0, give)
          return
        case 'answer lost':
          answer(soon, 0, () => undefined)
          return
        case 'answer held':
          answer(soon, 0, (answers) => {
            late(answers, hold(fault.random))
          })
          return
        case 'node error':
          answer(soon, 0, (answers) => {
            give(answers.map(() => broken))
          })
          return
        case 'one behind':
          answer(soon, 1, give)
          return
        case 'two behind':
          answer(soon, 2, give)
          return
        case 'blocks behind':
          answer(soon, 1 + fault.random.below(4), give)
          return
        case 'asker crashes':
          answer(soon, 0, () => undefined)
          deps.crash(life.host, fault.random)
          return
        default:
          answer(
            soon,
            0,
            writes
              ? (answers) => {
                  late(answers, soon)
                }
              : give,
          )
      }
    })
}
