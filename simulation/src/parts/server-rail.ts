import { localRoles } from '@ergon/contracts'
import { MarketError, type PaymentSignatures, type Rail } from '@ergon/core'
import { privateKeySigner } from '@ergon/protocols'
import {
  createChainReader,
  createFacilitatedRail,
  createFacilitatorClient,
  createPaymentSignatures,
  createTreasuries,
  HttpFault,
  RpcFault,
  type HttpClient,
  type Rpc,
  type ServedNetwork,
  type ServedNetworks,
} from '@ergon/server/testing'
import type { Life } from '../world/host.ts'
import { LineFault, type Lines } from '../world/network.ts'
import type { Facilitators } from './facilitator.ts'
import { localnet } from './localnet.ts'
import type { AskChain } from './rpc-line.ts'

const rpcTimeoutMs = 5_000

function rpcOf(life: Life, ask: AskChain): Rpc {
  const batch: Rpc['batch'] = async (calls, limits) => {
    try {
      return await ask(life, calls, limits?.timeoutMs ?? rpcTimeoutMs)
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      throw new RpcFault('the chain node does not answer', { cause: error })
    }
  }
  return {
    batch,
    chainIds: () => Promise.resolve([localnet.chainId]),
    async read(method, params) {
      const [answer] = await batch([{ method, params }])
      if (answer === undefined || answer.error !== undefined)
        throw new RpcFault(`the chain node refused ${method}`, { cause: answer?.error })
      return answer.result
    },
    [Symbol.dispose]() {},
  }
}

/** The step of a payment that a request asks for, by the facilitator's name of it; a direct payment has none. */
function moneyOf(path: string, body: string | undefined): { readonly money?: string } {
  return path === '/settle' ? { money: /"action":"(\w+)"/.exec(body ?? '')?.[1] ?? 'pay' } : {}
}

/** The facilitator as the server's own client asks it, over our lines instead of sockets. */
function httpOf(life: Life, lines: Lines, facilitators: Facilitators): HttpClient {
  return {
    async exchange({ method, path, body, headers, timeoutMs }) {
      try {
        const answer = await lines.exchange({
          label: `${life.name} asks the facilitator ${path}`,
          from: life,
          to: facilitators.front,
          timeoutMs,
          ...moneyOf(path, body),
          handle: (reached) =>
            facilitators.handle(reached, {
              method,
              path,
              headers: { 'content-type': 'application/json', ...headers },
              body: Buffer.from(body ?? ''),
            }),
        })
        return { status: answer.status, text: answer.body, headers: answer.headers }
      } catch (error) {
        if (!(error instanceof LineFault)) throw error
        throw new HttpFault(error, error.sent)
      }
    },
    [Symbol.dispose]() {},
  }
}

/** A key that has no role but the one a payer gives it. */
const spender = privateKeySigner(`0x${'5e'.repeat(32)}`)
const orderSigner = privateKeySigner(localRoles.service.privateKey)

export type ServerRail = { readonly rail: Rail; readonly signatures: PaymentSignatures }
export type ServerRailDeps = {
  readonly life: Life
  readonly ask: AskChain
  readonly lines: Lines
  readonly facilitators: Facilitators
  readonly random32: () => `0x${string}`
  readonly warn: (message: string) => void
}

/** The rail and the signatures of one process of the server: its own adapters, over our lines. */
export function createServerRail({ life, ask, lines, facilitators, random32, warn }: ServerRailDeps): ServerRail {
  const rpc = rpcOf(life, ask)
  const network: ServedNetwork = {
    row: localnet,
    chainId: localnet.chainId ?? 0,
    rpc,
    chain: createChainReader(rpc, localnet),
  }
  const networks: ServedNetworks = {
    all: [network],
    named(name) {
      if (name !== localnet.name) throw new MarketError('NETWORK_NOT_ACCEPTED', { network: name })
      return network
    },
    withChainId: (chainId) => (chainId === network.chainId ? network : undefined),
    [Symbol.dispose]() {},
  }
  const treasuries = createTreasuries()
  const time = {
    now: () => new Date(life.now()),
    monotonic: () => life.monotonic(),
    delay: (ms: number) => life.delay(ms),
  }
  return {
    rail: createFacilitatedRail({
      network,
      treasuries,
      facilitator: createFacilitatorClient(httpOf(life, lines, facilitators), time.now),
      orderSigner,
      time,
      log: {
        warn: (_details, message) => {
          warn(message)
        },
      },
    }),
    // No wallet here is a contract, so nothing but a key has ever signed.
    signatures: createPaymentSignatures({
      networks,
      treasuries,
      contracts: { ask: () => Promise.resolve('nobody') },
      random32,
      spender,
      delegate: orderSigner,
    }),
  }
}
