import type { RpcAnswer } from '../chain/node.ts'
import type { Fault, Faults } from '../world/faults.ts'
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

/** One request on its way: what may become of it, each in the asker's own time. */
type Asking = {
  readonly writes: boolean
  /** How long one way takes when nothing holds it up. */
  readonly soon: number
  /** The line breaks after so long. */
  readonly fail: (ms: number, sent: boolean) => void
  /** The request reaches a node that is so many blocks behind. */
  readonly answer: (ms: number, lag: number, back: (answers: readonly RpcAnswer[]) => void) => void
  readonly give: (answers: readonly RpcAnswer[]) => void
  /** Given after so long. */
  readonly late: (answers: readonly RpcAnswer[], ms: number) => void
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
      const give = (answers: readonly RpcAnswer[]): void => {
        untime()
        resolve(answers)
      }
      const soon = random.chance(0.95) ? random.between(0.2, 4) : random.between(4, 90)
      const asking: Asking = {
        writes,
        soon,
        give,
        fail(ms, sent) {
          life.after(ms, () => {
            untime()
            reject(new LineFault('cut', sent))
          })
        },
        answer(ms, lag, back) {
          // A transaction on its way arrives even when its sender has died.
          const arrive = (): void => {
            back(driver.ask(requests, lag))
          }
          if (writes) driver.after(ms, label, arrive)
          else life.after(ms, arrive, label)
        },
        late(answers, ms) {
          life.after(
            ms,
            () => {
              give(answers)
            },
            `${label} answered`,
          )
        },
      }
      befall(asking, fault)
      if (fault?.kind === 'asker crashes') deps.crash(life.host, fault.random)
    })
}

type LineFaultKind = (typeof rpcFaults)[number] | (typeof lateFaults)[number]

/** Sends it on its way, with what goes wrong there. */
function befall({ soon, writes, fail, answer, give, late }: Asking, fault: Fault<LineFaultKind> | undefined): void {
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
    case 'answer lost':
    case 'asker crashes':
      answer(soon, 0, () => undefined)
      return
    case undefined:
      answer(soon, 0, !writes ? give : (answers) => late(answers, soon))
  }
}
