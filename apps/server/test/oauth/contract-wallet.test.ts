import { randomBytes } from 'node:crypto'
import { bytesToHex, generatePrivateKey, privateKeySigner, type TypedData } from '@ergon/protocols'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authority } from '../dispatch/tiny-service.ts'
import { contractParty, contractSigner } from '../http/contract-wallet.ts'
import { aTask, expectStatus, submit, type Party } from '../http/live-market.ts'
import { connectHost } from './bearer-client.ts'
import { basic, choose, createHand, createVisitor, open, startLiveOAuth, type LiveOAuth } from './live-oauth.ts'

/** A wallet that is a contract consents by its own word, on a real chain (ERC-1271). */
let live: LiveOAuth
let worker: Party
beforeAll(async () => {
  live = await startLiveOAuth({ SVC_AUTHORITIES: authority })
  worker = await live.market.party(0n)
}, 120_000)
afterAll(() => live?.[Symbol.asyncDispose]())

const place = () => ({ url: live.market.url, rpcUrl: live.market.rig.chain.rpcUrl })

type Action = {
  readonly typed_data: TypedData
  readonly how_to_return: { readonly value: { readonly payload: object } }
}

test('a contract wallet lets a tool publish, pays for it and releases within its caps, and takes it back', async () => {
  const wallet = await contractParty(place(), 10n)
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
})

test('what another key signed for the contract, or a wallet without code on this chain, is no consent', async () => {
  const hand = await createHand(live.issuer)
  const wallet = await contractParty(place(), 0n)
  const stranger = privateKeySigner(generatePrivateKey())
  const nowhere = bytesToHex(randomBytes(20))
  for (const address of [wallet.wallet, nowhere]) {
    const visitor = createVisitor()
    const begun = await open(visitor, hand.authorizeUrl())
    const { text, token } = await choose(visitor, begun, address)
    const signature = await contractSigner(wallet.signer.address, stranger).signMessage(text)
    const answer = await visitor.submit(begun.url, [
      ['csrf', begun.csrf],
      ['action', 'sign'],
      ['delivery_token', token],
      ['signature', signature],
    ])
    expect([address, answer.status]).toEqual([address, 422])
  }
})
