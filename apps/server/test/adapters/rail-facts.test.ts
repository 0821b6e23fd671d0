import { mintTestUsd } from '@ergon/contracts'
import type { AuthorizeOrder } from '@ergon/core'
import { networks, privateKeySigner } from '@ergon/protocols'
import { createChainReader } from '../../src/adapters/chain/chain-reader.ts'
import { createRpc } from '../../src/adapters/chain/rpc.ts'
import { findOrder } from '../../src/adapters/rails/find-order.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdapters } from '../../src/adapters/index.ts'
import { startHttp, startLiar, type Fake } from './fakes.ts'
import { authorizeOrder, awardOrder, captureOrder, chargeOrder, freshKey, voidOrder, soon } from './orders.ts'
import { asset, eventually, payer, rpc, startRig, treasury, worker, type Rig } from './rig.ts'

const token = networks.localnet.tokens['USDC']?.address ?? ''

describe('what a rail says about money', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig()
  })
  afterAll(async () => {
    await rig[Symbol.asyncDispose]()
  })

  const balances = async (): Promise<readonly bigint[]> =>
    Promise.all(
      [payer.address, worker.address, treasury].map((wallet) => rig.adapters.rails('localnet').balance(wallet, asset)),
    )

  test('a payment is held, released 87 to 13 in part, the rest given back, and the fee swept to the treasury', async () => {
    const rail = rig.adapters.rails('localnet')
    const [payerBefore = 0n, workerBefore = 0n, treasuryBefore = 0n] = await balances()
    const order = await authorizeOrder(rig.adapters, { atomic: 1_000_001n })
    const { payment } = order
    expect(await rail.escrowState(payment)).toEqual({ collected: false, capturable: 0n, refundable: 0n })
    await rail.send(order, 10_000, soon())
    expect(await rail.escrowState(payment)).toEqual({ collected: true, capturable: 1_000_001n, refundable: 0n })
    const part = await captureOrder(rig.adapters, payment, 600_001n)
    expect((await rail.send(part, 10_000, soon())).outcome).toBe('settled')
    expect((await rail.find(voidOrder(payment, 400_000n))).state).toBe('absent')
    expect((await rail.send(voidOrder(payment, 400_000n), 10_000, soon())).outcome).toBe('settled')
    expect(await rail.escrowState(payment)).toEqual({ collected: true, capturable: 0n, refundable: 600_001n })
    const swept = await rail.sweepFees(asset, freshKey())
    expect(swept).toMatchObject({ outcome: 'settled', amount: 78_000n })
    expect(await rail.sweepFees(asset, freshKey())).toEqual({ outcome: 'nothing' })
    expect(await balances()).toEqual([payerBefore - 600_001n, workerBefore + 522_001n, treasuryBefore + 78_000n])
  })

  test('a refund ordered again under its key, signed anew, is carried out once', async () => {
    const rail = rig.adapters.rails('localnet')
    const order = await authorizeOrder(rig.adapters)
    await rail.send(order, 10_000, soon())
    const back = voidOrder(order.payment, 400_000n)
    const first = await rail.send(back, 10_000, soon())
    expect(first.outcome).toBe('settled')
    expect(await rail.send(back, 10_000, soon())).toEqual(first)
    expect(await rail.escrowState(order.payment)).toMatchObject({ capturable: 600_000n })
  })

  describe('what a payer does with the escrow past us', () => {
    const word = (value: bigint): string => value.toString(16).padStart(64, '0')
    const { escrow: deployment } = networks.localnet
    /** The payer's own call of the operator: a selector, the terms of the payment, and what follows them. */
    async function asPayer(order: AuthorizeOrder, selector: string, tail: string): Promise<string> {
      const terms = rig.adapters.signatures.reclaimCall(order.payment).calldata.slice(10)
      return String(
        await rpc(rig.chain.rpcUrl, 'eth_sendTransaction', [
          { from: payer.address, to: deployment?.operator, data: `${selector}${terms}${tail}`, gas: '0x7a120' },
        ]),
      )
    }
    const charge = (order: AuthorizeOrder): Promise<string> => {
      const signature = order.authorization.signature.slice(2)
      const collector = String(deployment?.collector).slice(2).toLowerCase().padStart(64, '0')
      return asPayer(
        order,
        '0x3d2c2d9d',
        [
          word(order.payment.maxAmount),
          collector,
          word(480n),
          word(BigInt(signature.length / 2)),
          signature.padEnd(192, '0'),
        ].join(''),
      )
    }

    test('every movement is told with its transaction and its log, in the order of the chain', async () => {
      const rail = rig.adapters.rails('localnet')
      const order = await authorizeOrder(rig.adapters)
      const { payment } = order
      const locked = await rail.send(order, 10_000, soon())
      const released = await asPayer(order, '0xecf39b0a', word(1n))
      await eventually(
        () => rail.escrowState(payment),
        ({ refundable }) => refundable === 1n,
      )
      expect(await rail.find(voidOrder(payment))).toEqual({ state: 'absent', capturable: 999_999n })
      const back = await rail.send(voidOrder(payment, 999_999n), 10_000, soon())
      if (locked.outcome !== 'settled' || back.outcome !== 'settled')
        throw new Error('the payment was held and given back')
      const common = {
        network: 'localnet',
        hash: payment.hash,
        blockNumber: expect.any(BigInt),
        logIndex: expect.any(Number),
      }
      expect(await rail.movements(payment)).toEqual([
        {
          ...common,
          kind: 'authorized',
          atomic: 1_000_000n,
          feeBps: null,
          txHash: locked.txHash,
          blockNumber: locked.blockNumber,
          logIndex: locked.logIndex,
        },
        { ...common, kind: 'captured', atomic: 1n, feeBps: 1_300, txHash: released },
        {
          ...common,
          kind: 'voided',
          atomic: 999_999n,
          feeBps: null,
          txHash: back.txHash,
          blockNumber: back.blockNumber,
          logIndex: back.logIndex,
        },
      ])
    })

    test('an authorization that was used through charge can never lock, and says so', async () => {
      const rail = rig.adapters.rails('localnet')
      const order = await authorizeOrder(rig.adapters)
      const hash = await charge(order)
      expect(
        await eventually(
          () => rail.find(order),
          (found) => found.state === 'absent' && found.isDead === true,
        ),
      ).toEqual({ state: 'absent', isDead: true })
      expect(await rail.send(order, 10_000, soon())).toMatchObject({ outcome: 'refused', final: true })
      expect(await rail.movements(order.payment)).toMatchObject([
        { kind: 'charged', atomic: 1_000_000n, feeBps: 1_300, txHash: hash },
      ])
    })

    test('what moved before an order was made is not that order', async () => {
      const rail = rig.adapters.rails('localnet')
      const order = await authorizeOrder(rig.adapters)
      await rail.send(order, 10_000, soon())
      await asPayer(order, '0xecf39b0a', word(400_000n))
      const [, captured] = await eventually(
        () => rail.movements(order.payment),
        (movements) => movements.length === 2,
      )
      if (captured === undefined) throw new Error('the payer released a part')
      expect((await rail.find(awardOrder(order.payment, 400_000n))).state).toBe('landed')
      expect((await rail.find({ ...awardOrder(order.payment, 400_000n), after: captured })).state).toBe('absent')
    })

    test('the chain says its own time', async () => {
      const time = await rig.adapters.rails('localnet').chainTime()
      const block = (await rpc(rig.chain.rpcUrl, 'eth_getBlockByNumber', ['latest', false])) as { timestamp: string } // the node answers a block
      expect(time).toEqual(new Date(Number(block.timestamp) * 1_000))
    })
  })

  test('a direct payment that another party submitted counts as settled', async () => {
    const rail = rig.adapters.rails('localnet')
    const order = await chargeOrder(rig.adapters, worker.address, 5_000n)
    const { from, to, validAfter, validBefore, nonce, signature } = order.transfer
    const word = (value: bigint | string): string =>
      (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')
    const head = [word(from), word(to), word(5_000n), word(validAfter), word(validBefore), word(nonce)].join('')
    const data = `0xe3ee160e${head}${word(`0x${signature.slice(130)}`)}${signature.slice(2, 130)}`
    const hash = await rpc(rig.chain.rpcUrl, 'eth_sendTransaction', [
      { from: worker.address, to: token, data, gas: '0x30d40' },
    ])
    expect(
      (
        await eventually(
          () => rail.find(order),
          ({ state }) => state === 'landed',
        )
      ).state,
    ).toBe('landed')
    expect(await rail.send(order, 10_000, soon())).toMatchObject({ outcome: 'settled', txHash: hash })
  })

  test('an authorization whose nonce paid another wallet will never settle', async () => {
    const rail = rig.adapters.rails('localnet')
    const spent = await chargeOrder(rig.adapters, worker.address, 3_000n)
    await rail.send(spent, 10_000, soon())
    const other = await chargeOrder(rig.adapters, treasury, 3_000n)
    const reused = { ...other, transfer: { ...other.transfer, nonce: spent.transfer.nonce } }
    expect(await rail.find(reused)).toEqual({ state: 'absent', isDead: true })
    expect(await rail.send(reused, 10_000, soon())).toMatchObject({ outcome: 'refused' })
  })

  test('where blocks may be undone, what spent a signature counts for good when as many follow as the row names', async () => {
    const row = { ...networks.localnet, confirmations: 3 }
    using nodes = createRpc({ urls: [rig.chain.rpcUrl], chainId: 31_337 })
    const network = { row, chainId: 31_337, rpc: nodes, chain: createChainReader(nodes, row) }
    const spent = await chargeOrder(rig.adapters, worker.address, 3_000n)
    await rig.adapters.rails('localnet').send(spent, 10_000, soon())
    const other = await chargeOrder(rig.adapters, treasury, 3_000n)
    const reused = { ...other, transfer: { ...other.transfer, nonce: spent.transfer.nonce } }
    expect(await findOrder(network, reused)).toEqual({ state: 'absent' })
    expect(await findOrder(network, spent)).toMatchObject({ state: 'landed' })
    await rpc(rig.chain.rpcUrl, 'anvil_mine', ['0x3'])
    expect(await findOrder(network, reused)).toEqual({ state: 'absent', isDead: true })
  })

  test('the node of another chain, or no node, is never believed', async () => {
    await using other = createAdapters({
      ...rig.settings,
      networks: [{ network: networks.localnet, rpcUrls: ['http://127.0.0.1:1'] }],
    })
    const { payment } = await authorizeOrder(rig.adapters)
    await expect(other.rails('localnet').escrowState(payment)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    await expect(other.rails('localnet').balance(payer.address, asset)).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
    })
    expect(await other.health()).toEqual({ facilitator: true, chains: { localnet: false } })
    expect(await rig.adapters.health()).toEqual({ facilitator: true, chains: { localnet: true } })
  })

  test('an order is found through a node that answers for a few hundred blocks at a time', async () => {
    const order = await authorizeOrder(rig.adapters)
    const settled = await rig.adapters.rails('localnet').send(order, 10_000, soon())
    await rpc(rig.chain.rpcUrl, 'anvil_mine', ['0x7d0'])
    await using node = await startNarrowNode(rig.chain.rpcUrl, 400n)
    await using adapters = createAdapters({
      ...rig.settings,
      networks: [{ network: networks.localnet, rpcUrls: [node.url] }],
    })
    const landed = { state: 'landed', txHash: settled.outcome === 'settled' ? settled.txHash : '' }
    expect(await adapters.rails('localnet').find(order)).toMatchObject(landed)
    const before = node.refusals
    expect(await adapters.rails('localnet').find(order)).toMatchObject(landed)
    expect(node.refusals).toBe(before)
  })

  test('a network that is not served has no rail', () => {
    expect(() => rig.adapters.rails('base')).toThrow(expect.objectContaining({ code: 'NETWORK_NOT_ACCEPTED' }))
  })

  test('a facilitator that lies is not believed', async () => {
    const order = await authorizeOrder(rig.adapters)
    const rail = rig.adapters.rails('localnet')
    // A real transaction of a real payment, which is not this one.
    const elsewhere = await rail.send(await authorizeOrder(rig.adapters), 10_000, soon())
    const txHash = elsewhere.outcome === 'settled' ? elsewhere.txHash : ''
    await using liar = await startLiar({ success: true, transaction: txHash })
    await using adapters = createAdapters({ ...rig.settings, facilitatorUrl: liar.url })
    expect(await adapters.rails('localnet').send(order, 200, soon())).toEqual({ outcome: 'unknown', txHash })
    liar.answer = { success: true, transaction: `0x${'9'.repeat(64)}` }
    expect(await adapters.rails('localnet').send(order, 200, soon())).toEqual({
      outcome: 'unknown',
      txHash: `0x${'9'.repeat(64)}`,
    })
    liar.answer = 'no JSON'
    expect(await adapters.rails('localnet').send(order, 200, soon())).toEqual({ outcome: 'unknown' })
    expect(await rail.find(order)).toEqual({ state: 'absent' })
  })

  test.each([true, false])(
    'a facilitator that pays no more gas refuses the payment, and its word is as final as it says: %s',
    async (final) => {
      const order = await authorizeOrder(rig.adapters)
      const spent = {
        success: false,
        errorCode: 'gas_budget_spent',
        errorReason: 'spent',
        broadcast: false,
        final,
        retry_after: 7_200,
      }
      await using liar = await startLiar(spent)
      await using adapters = createAdapters({ ...rig.settings, facilitatorUrl: liar.url })
      expect(await adapters.rails('localnet').send(order, 200, soon())).toMatchObject({
        outcome: 'refused',
        code: 'GAS_BUDGET_SPENT',
        message: expect.stringContaining('No money has moved.') as string,
        details: { facilitator_code: 'gas_budget_spent', retry_after_sec: 7_200 },
        final,
      })
      // Where the chain shows the payment, that word counts for nothing.
      const settled = await rig.adapters.rails('localnet').send(order, 10_000, soon())
      expect(await adapters.rails('localnet').send(order, 200, soon())).toEqual(settled)
    },
  )

  test('a payment beyond the limit of one deposit is refused', async () => {
    await mintTestUsd(rig.chain.rpcUrl, payer.address, 200_000_000n)
    const order = await authorizeOrder(rig.adapters, { atomic: 100_000_001n })
    expect(await rig.adapters.rails('localnet').send(order, 10_000, soon())).toMatchObject({
      outcome: 'refused',
      code: 'LOCK_REVERTED',
    })
  })

  test('an order is refused by its own code for a payer without funds, with what would be needed', async () => {
    const poor = { ...privateKeySigner(`0x${'42'.repeat(32)}`), privateKey: `0x${'42'.repeat(32)}` } as const
    const order = await authorizeOrder(rig.adapters, { signer: poor })
    const answer = await rig.adapters.rails('localnet').send(order, 10_000, soon())
    expect(answer).toMatchObject({
      outcome: 'refused',
      code: 'INSUFFICIENT_FUNDS',
      details: { network: 'localnet', required_usdc: 1 },
    })
  })
})

/** Passes everything on to a node, but refuses logs of more blocks than this. */
async function startNarrowNode(rpcUrl: string, maxBlocks: bigint): Promise<Fake & { readonly refusals: number }> {
  let refusals = 0
  const fake = await startHttp(async (body) => {
    type Call = { id: number; method: string; params: { fromBlock?: string; toBlock?: string }[] }
    const parsed = JSON.parse(body) as Call | Call[] // our own client sends it
    const wide = [parsed]
      .flat()
      .find(
        ({ method, params }) =>
          method === 'eth_getLogs' &&
          (params[0]?.toBlock === 'latest' ||
            BigInt(params[0]?.toBlock ?? 0) - BigInt(params[0]?.fromBlock ?? 0) >= maxBlocks),
      )
    if (wide === undefined)
      return (await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text()
    refusals += 1
    const refused = { jsonrpc: '2.0', id: wide.id, error: { code: -32_005, message: 'query exceeds the range' } }
    return JSON.stringify(Array.isArray(parsed) ? [refused] : refused)
  })
  return {
    ...fake,
    get refusals() {
      return refusals
    },
  }
}
