import { addressOf, confirmationsOf, type Address, type Network } from '@ergon/protocols'
import { createChain, type Chain } from '../chain/chain.ts'
import { notingRefusals } from '../chain/noting-refusals.ts'
import { createPipeline } from '../chain/pipeline.ts'
import type { RpcClient } from '../chain/rpc-client.ts'
import { createSimulator } from '../chain/simulator.ts'
import { createStateCache, type StateCache } from '../chain/state-cache.ts'
import { createSigning } from '../chain/replacements.ts'
import { createTracker, type Tracker } from '../chain/tracker.ts'
import type { TrackerPace } from '../chain/watch.ts'
import { writeIntents, type Lease } from '../chain/write-intents.ts'
import { NodeSilent, Unavailable } from '../errors.ts'
import { createGasAccount } from '../gas/gas-account.ts'
import type { GasTerms } from '../gas/gas-terms.ts'
import type { PaymentGas } from '../gas/payment-gas.ts'
import type { IntentStore } from '../store/intents.ts'
import { delay, type Surroundings } from '../surroundings/surroundings.ts'
import { checkDeployment, type Deployment } from './check-deployment.ts'
import type { ServedNetwork, ServedToken } from './served-network.ts'

export type ConnectDeps = {
  readonly row: Network
  readonly rpc: RpcClient
  readonly store: IntentStore
  readonly lease: Lease
  readonly privateKey: Uint8Array
  readonly minesOnDemand: boolean
  readonly surroundings: Surroundings
  readonly pace?: TrackerPace
  readonly paymentGas?: PaymentGas | undefined
  readonly gasTerms?: GasTerms | undefined
  /** Millionths of a token's unit: what is less is no payment. */
  readonly smallestMillionths?: bigint | undefined
  readonly walletFactories?: readonly Address[] | undefined
  readonly onTrouble: (message: string, error: unknown) => void
}

export type ConnectedNetwork = ServedNetwork & AsyncDisposable

/**
 * Checks the deployment, takes up what an earlier process left, and only then offers the network.
 * @throws NodeSilent while no node says what has to be known
 */
export async function connectNetwork(deps: ConnectDeps): Promise<ConnectedNetwork> {
  const { row, store, privateKey, surroundings, onTrouble } = deps
  const rpc = notingRefusals(deps.rpc, row.name, onTrouble)
  const deployment = await deployed(rpc, row)
  const chainId = row.chainId ?? 0
  const onDemand = deployment.onDemand && deps.minesOnDemand
  const chain = createChain(rpc, { chainId, confirmations: confirmationsOf(row), onDemand, surroundings })
  const states = createStateCache(rpc, { blockPollMs: onDemand ? 250 : 1_000, surroundings })
  const account = lower(addressOf(privateKey))
  const signing = createSigning({
    network: row.name,
    chain,
    account,
    privateKey,
    highestFee: deps.gasTerms?.highestFee,
    surroundings,
  })
  let stopped = false
  const tracker = createOwnTracker(deps, { chain, account, signing, states, isStopped: () => stopped })
  try {
    await takeUp(deps, chain, tracker, account)
  } catch (error) {
    stopped = true
    await tracker.stop()
    states[Symbol.dispose]()
    throw error instanceof Unavailable ? silence(row, error) : error
  }
  const gasAccount = createGasAccount(rpc, account, surroundings)
  const pipeline = createPipeline({
    network: row.name,
    chain,
    store,
    tracker,
    account,
    privateKey,
    lease: deps.lease,
    surroundings,
    onTrouble,
    paymentGas: deps.paymentGas,
    gasAccount,
    gasTerms: deps.gasTerms,
  })
  return {
    ...describe(row, deployment, deps.smallestMillionths ?? 0n),
    walletFactories: new Set(deps.walletFactories),
    rpc,
    gasAccount,
    chain,
    states,
    simulator: createSimulator(chain, account, surroundings),
    pipeline,
    tracker,
    async [Symbol.asyncDispose]() {
      stopped = true
      await pipeline.stop()
      await tracker.stop()
      states[Symbol.dispose]()
    },
  }
}

type Tracking = {
  readonly chain: Chain
  readonly account: Address
  readonly signing: ReturnType<typeof createSigning>
  readonly states: Pick<StateCache, 'clear'>
  readonly isStopped: () => boolean
}

/** Follows what was sent, and sends what fills a gap between account nonces. */
function createOwnTracker(deps: ConnectDeps, { chain, account, signing, states, isStopped }: Tracking): Tracker {
  const { row, store, lease, surroundings, onTrouble } = deps
  const tracker = createTracker({
    network: row.name,
    chain,
    store,
    account,
    lease,
    pays: signing.pays,
    replace: signing.replace,
    cancel: signing.cancel,
    async fill(nonce) {
      const filler = await signing.filler(nonce)
      const written = await writeIntents({ store, lease, surroundings, onTrouble }, [filler], isStopped)
      if (written === 'written') await tracker.send([filler])
    },
    onSettled: () => {
      states.clear()
    },
    onTrouble,
    surroundings,
    ...(deps.pace === undefined ? {} : { pace: deps.pace }),
  })
  return tracker
}

async function deployed(rpc: RpcClient, row: Network): Promise<Deployment> {
  return checkDeployment(rpc, row).catch((error: unknown) => {
    throw error instanceof Unavailable ? silence(row, error) : error
  })
}

const silence = ({ name }: Network, cause: unknown): NodeSilent =>
  new NodeSilent(`the node of ${name} does not answer`, { cause })

/**
 * Open intents, and landed ones that the chain has lost since: a node that crashed before it wrote its state, or a
 * reorganisation. Their account nonce is free again, so the same bytes are valid again and still move the money once.
 * What landed, is there still and is not deep may be lost later: it is watched from here on.
 */
async function takeUp(deps: ConnectDeps, chain: Chain, tracker: Tracker, account: Address): Promise<void> {
  const { row, store } = deps
  const nonce = await patiently(deps, () => chain.accountNonce(account, 'latest'))
  const lost = await store.reopen(row.name, account, nonce, 0)
  if (lost.length > 0)
    deps.onTrouble(`${row.name} has lost ${lost.length} settled transactions; they are sent again`, undefined)
  tracker.recall(nonce)
  await tracker.resume(await store.open(row.name))
}

/** A node that has just answered and now does not, or asks for patience, ends no start. */
async function patiently<T>({ surroundings, onTrouble }: ConnectDeps, read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof Unavailable) || tries === readsAtStart) throw error
      onTrouble('a read at the start failed and is repeated', error)
      await delay(surroundings, 500)
    }
  }
}

const readsAtStart = 10

function describe(
  row: Network,
  deployment: Deployment,
  smallestMillionths: bigint,
): Pick<ServedNetwork, 'name' | 'caip2' | 'chainId' | 'row' | 'tokens' | 'escrow' | 'registries'> {
  const chainId = row.chainId ?? 0
  const tokens = new Map(
    Object.values(row.tokens).map((token): [Address, ServedToken] => {
      const address = lower(token.address)
      return [
        address,
        {
          symbol: token.symbol,
          decimals: token.decimals,
          smallest: (smallestMillionths * 10n ** BigInt(token.decimals)) / 1_000_000n,
          domain: { name: token.name, version: token.version, chainId, verifyingContract: address },
        },
      ]
    }),
  )
  const { escrow, erc8004 } = row
  return {
    name: row.name,
    caip2: row.caip2,
    chainId,
    row,
    tokens,
    escrow:
      escrow === undefined || deployment.feeRecipient === undefined
        ? undefined
        : {
            escrow: lower(escrow.escrow),
            collector: lower(escrow.collector),
            operator: lower(escrow.operator),
            operatorAbi: escrow.operatorAbi,
            owner: deployment.feeRecipient,
          },
    registries:
      erc8004 === undefined
        ? undefined
        : {
            identity: lower(erc8004.identity),
            reputation: lower(erc8004.reputation),
            ratingDelegate: erc8004.ratingDelegate === undefined ? undefined : lower(erc8004.ratingDelegate),
            takesRatings: row.ratings !== 'readable',
          },
  }
}

function lower(address: string): Address {
  // Lowercasing keeps the 0x prefix; the rows are checked data.
  return address.toLowerCase() as Address
}
