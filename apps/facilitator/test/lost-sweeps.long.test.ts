import { queryDatabase, type Chain } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addresses, aPaymentInfo, authorizeBody, releaseBody, treasury } from '../src/testing/payments.ts'
import { facilitatorEnv } from './harness-env.ts'
import {
  balanceOf,
  createClient,
  eventually,
  sentByFacilitator,
  startFacilitator,
  startFundedChain,
} from './harness.ts'
import { startPgProxy } from './pg-proxy.ts'
import { startRpcProxy } from './rpc-proxy.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startFundedChain()
})
afterAll(async () => {
  await chain.stop()
})

/** A facilitator whose database and node are at the end of lines that can fail, and fees to sweep. */
async function stage() {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase(facilitatorSchema))
  const line = stack.use(await startPgProxy(database.url))
  const node = stack.use(await startRpcProxy(chain.rpcUrl))
  const env = facilitatorEnv(node.url, line.url, {
    FACILITATOR_SETTLE_WAIT_MS: '1500',
    FACILITATOR_RPC_TIMEOUT_MS: '300',
    FACILITATOR_PAYMENT_GAS_PER_DAY: '200/0/20000',
  })
  const service = stack.use(await startFacilitator(env))
  const client = createClient(await service.listen())
  const info = aPaymentInfo()
  // On a busy machine an answer may be that it is pending: there are fees when both are done.
  for (const body of [authorizeBody(info), releaseBody(info, 1_000_000n)])
    await eventually(
      () => client.post('/settle', body),
      (answer) => answer.body['success'] === true,
      'the payment whose fee is swept',
      30_000,
    )
  // Nothing is under way, so that the next nonce is asked for.
  await eventually(
    () => queryDatabase(database.url, "select id from intents where status = 'sent'"),
    (rows) => rows.length === 0,
    'the end of what came before',
  )
  const owned = stack.move()
  return { database, line, node, client, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const sweep = { network: 'localnet', token: addresses.token }
const key = { 'idempotency-key': 'the-sweep' }

/** Answers whether the loss has come about. */
type Loss = (rig: Awaited<ReturnType<typeof stage>>) => () => boolean

/** The n-th answer of the database to this statement. */
const ofDatabase =
  (statement: string, nth = 1): Loss =>
  ({ line }) => {
    let seen = 0
    line.decide = (question) => {
      if (question.includes(`${statement}\0`)) seen += 1
      return seen === nth && question.includes(`${statement}\0`) ? 'lose-answer' : 'carry'
    }
    return () => seen >= nth
  }

/** The n-th answer of the node to a request that names this method. */
const ofNode =
  (method: string, nth = 1): Loss =>
  ({ node }) => {
    let seen = 0
    node.decide = (methods) => {
      if (methods.includes(method)) seen += 1
      return seen === nth && methods.includes(method) ? 'swallow-answer' : 'forward'
    }
    return () => seen >= nth
  }

test.each<[string, Loss]>([
  ['the key is looked up', ofDatabase('keys-find')],
  ['the key is looked up in the queue', ofDatabase('keys-find', 2)],
  ['the balance is read', ofNode('eth_call')],
  ['the call is simulated', ofNode('eth_call', 2)],
  ['the nonce is read', ofNode('eth_getTransactionCount')],
  ['its gas is counted', ofDatabase('gas-add')],
  ['it is written', ofDatabase('intents-insert')],
  ['it is broadcast', ofNode('eth_sendRawTransaction')],
  ['its block is made', ofNode('evm_mine')],
  ['its receipt is read', ofNode('eth_getBlockReceipts')],
  ['its outcome is stored', ofDatabase('intents-settle')],
])('a sweep whose answer is lost when %s moves the fees once, and its key says so', async (_when, lose) => {
  await using rig = await stage()
  const before = {
    treasury: await balanceOf(chain.rpcUrl, treasury.address),
    sent: await sentByFacilitator(chain.rpcUrl),
  }
  const isLost = lose(rig)
  const done = await eventually(
    () => rig.client.post('/fees/distribute', sweep, key),
    // Whatever is said meanwhile, it is not that there is nothing to move.
    ({ status, body }) => {
      if (status === 200) expect(body).toMatchObject({ success: true, amount: '130000' })
      return status === 200
    },
    'the sweep',
    20_000,
  )
  expect(await balanceOf(chain.rpcUrl, treasury.address)).toBe(before.treasury + 130_000n)
  expect(await sentByFacilitator(chain.rpcUrl)).toBe(before.sent + 1)
  expect((await rig.client.post('/fees/distribute', sweep, key)).body).toEqual(done.body)
  const rows = await eventually(
    () =>
      queryDatabase(rig.database.url, "select status from intents where kind = 'distribute_fees' and status <> 'void'"),
    ([row]) => row?.['status'] === 'succeeded',
    'the row',
  )
  expect(rows).toHaveLength(1)
  expect(isLost()).toBe(true)
})

test('a key under which nothing was found stays that, also when its answer was lost', async () => {
  await using rig = await stage()
  await rig.client.post('/fees/distribute', sweep, key)
  ofDatabase('keys-bind')(rig)
  const empty = { 'idempotency-key': 'nothing-there' }
  const answer = await eventually(
    () => rig.client.post('/fees/distribute', sweep, empty),
    ({ status }) => status === 200,
    'the answer',
  )
  expect(answer.body).toEqual({ success: true, transaction: null, amount: '0', network: 'localnet' })
})
