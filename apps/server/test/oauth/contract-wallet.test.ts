import { randomBytes } from 'node:crypto'
import {
  bytesToHex,
  generatePrivateKey,
  privateKeySigner,
  type Address,
  type Signer,
  type TypedData,
} from '@ergon/protocols'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rpc, startRig } from '../adapters/rig.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { comingWallet, contractParty, contractSigner, factory } from '../http/contract-wallet.ts'
import { aTask, expectStatus, submit, type Party } from '../http/live-market.ts'
import { connectHost } from './bearer-client.ts'
import { basic, choose, createHand, createVisitor, open, startLiveOAuth, type LiveOAuth } from './live-oauth.ts'

/** A wallet that is a contract consents by its own word (ERC-1271), even before it is there (ERC-6492). */
const stack = new AsyncDisposableStack()
let live: LiveOAuth
let worker: Party
beforeAll(async () => {
  const rig = stack.use(await startRig({ FACILITATOR_WALLET_FACTORIES: factory }))
  live = stack.use(await startLiveOAuth({ SVC_AUTHORITIES: authority, SVC_WALLET_FACTORIES: factory }, {}, rig))
  worker = await live.market.party(0n)
})
afterAll(() => stack.disposeAsync())

const place = () => ({ url: live.market.url, rpcUrl: live.market.rig.chain.rpcUrl })

type Action = {
  readonly typed_data: TypedData
  readonly how_to_return: { readonly value: { readonly payload: object } }
}

test('a contract wallet lets a tool publish, pays for it and releases within its caps, and takes it back', async () => {
  await doesJob(await contractParty(place(), 10n))
})

test('a wallet that is yet to be put up does the same: its first lock puts it up', async () => {
  const wallet = await comingWallet(place().rpcUrl, 10n)
  await doesJob(wallet, async () => {
    // Consent is a question to the chain and no transaction.
    expect(await codeAt(wallet.wallet)).toBe('0x')
  })
  expect(await codeAt(wallet.wallet)).not.toBe('0x')
})

const codeAt = (address: Address): Promise<unknown> => rpc(place().rpcUrl, 'eth_getCode', [address, 'latest'])

async function doesJob(
  wallet: Pick<Party, 'wallet' | 'signer'>,
  onceAllowed = (): Promise<void> => Promise.resolve(),
): Promise<void> {
  const host = await connectHost(`${live.issuer}/mcp`)
  const tokens = await host.signIn(wallet, {
    scopes: [...basic, 'agent:approve'],
    limits: { usd: '5', count: '1' },
  })
  expect(tokens).toMatchObject({ expires_in: 900, scope: [...basic, 'agent:approve'].join(' ') })
  const [, claims = ''] = tokens.access_token.split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    sub: `eip155:31337:${wallet.wallet}`,
  })

  await onceAllowed()
  const taskId = String((await host.call('svc_publish_task', aTask())).body['id'])
  const application = await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {})
  const args = { task_id: taskId, executor_id: String(expectStatus(application, 201).body['executor_id']) }
  const { body } = await host.call('svc_assign_task', args)
  const { typed_data, how_to_return: back } = body['wallet_action'] as Action // spec §5, OAuth 10
  const payload = { ...back.value.payload, signature: await wallet.signer.signTypedData(typed_data) }
  const assigned = await host.call('svc_assign_task', {
    ...args,
    payment_auth: JSON.stringify({ ...back.value, payload }),
  })
  expect(assigned.body, JSON.stringify(assigned.body)).toMatchObject({ status: 'accepted' })
  const submissionId = await submit(worker, taskId)
  const before = await live.market.balance(worker.wallet)
  const approved = await host.call('svc_approve_submission', { submission_id: submissionId })
  expect(approved.body, JSON.stringify(approved.body)).toMatchObject({ status: 'approved' })
  expect(await live.market.balance(worker.wallet)).toBe(before + 930_900n)
  await host.revoke()
  await expect.poll(async () => (await host.call('svc_get_fees')).status).toBe(401)
}

test('what another key signed for a contract, there or to come, or for nobody, is no consent', async () => {
  const hand = await createHand(live.issuer)
  const wallet = await contractParty(place(), 0n)
  const stranger = privateKeySigner(generatePrivateKey())
  const nowhere = bytesToHex(randomBytes(20))
  const byAnother = contractSigner(wallet.signer.address, stranger)
  for (const [address, signer] of [
    [wallet.wallet, byAnother],
    [nowhere, byAnother],
    ...(await comingRefused()),
  ] as const) {
    const visitor = createVisitor()
    const begun = await open(visitor, hand.authorizeUrl())
    const { text, token } = await choose(visitor, begun, address)
    const signature = await signer.signMessage(text)
    const answer = await visitor.submit(begun.url, signed(begun, token, signature))
    expect([address, answer.status]).toEqual([address, 422])
  }
})

/** Wallets to come whose wrapped signatures prove nothing; this file asks ten questions of a chain, and no more. */
async function comingRefused(): Promise<readonly (readonly [Address, Signer])[]> {
  const wrapping = async (change: Parameters<typeof comingWallet>[2]): Promise<readonly [Address, Signer]> => {
    const { wallet, signer } = await comingWallet(place().rpcUrl, 0n, change)
    return [wallet, signer]
  }
  return [
    await wrapping({ signedBy: privateKeySigner(generatePrivateKey()) }),
    // The operator names no such factory.
    await wrapping({ factory: bytesToHex(randomBytes(20)) }),
  ]
}

test('what is asked of a chain for strangers has a budget, wrapped or not', async () => {
  const visitor = createVisitor()
  const hand = await createHand(live.issuer)
  const begun = await open(visitor, hand.authorizeUrl())
  const { wallet, signer } = await comingWallet(place().rpcUrl, 0n, {
    signedBy: privateKeySigner(generatePrivateKey()),
  })
  const { text, token } = await choose(visitor, begun, wallet)
  const signature = await signer.signMessage(text)
  const said: number[] = []
  for (let tries = 0; tries < 12 && said.at(-1) !== 429; tries += 1)
    said.push((await visitor.submit(begun.url, signed(begun, token, signature))).status)
  expect(said.at(-1)).toBe(429)
})

const signed = ({ csrf }: { readonly csrf: string }, token: string, signature: string): [string, string][] => [
  ['csrf', csrf],
  ['action', 'sign'],
  ['delivery_token', token],
  ['signature', signature],
]
