import { mintTestUsd } from '@ergon/contracts'
import { privateKeySigner, type Hex, type TypedData } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gasOfFeedback, readFeedback } from '../src/identity/feedback-fields.ts'
import { rpc } from './harness-env.ts'
import { startRig, type Answer, type Rig, registerAgent } from './harness.ts'
import {
  account,
  addresses,
  aTransfer,
  exactV2,
  payer,
  randomHex32,
  stranger,
  worker,
} from '../src/testing/payments.ts'

type Fields = Record<string, unknown>
/** What a sender does to a rating that is prepared and signed. */
type Change = (submit: Fields, prepared: Fields) => Promise<void> | void

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

describe("a rating relayed in the rater's own name", () => {
  const rater = account(7)
  const signer = privateKeySigner(rater.privateKey)
  let agentId: string
  let payment: Fields
  beforeAll(async () => {
    agentId = await registerAgent(rig, worker.address)
    await mintTestUsd(rig.rpcUrl, rater.address, 1_000_000n)
    const paid = (await rig.post('/settle', exactV2(aTransfer({ from: rater.address }), { key: rater.privateKey })))
      .body
    payment = {
      transactionHash: paid['transaction'],
      network: 'localnet',
      payer: rater.address,
      payee: worker.address,
      token: addresses.token,
    }
  })

  async function relay(change: Change = () => undefined, texts: Fields = {}): Promise<Answer> {
    const feedback = {
      agentId,
      value: 95,
      valueDecimals: 0,
      tag1: 'publisher',
      tag2: 'localnet',
      endpoint: '',
      feedbackUri: 'https://feedback.example/2.json',
      feedbackHash: randomHex32(),
      ...texts,
    }
    const prepared = (await rig.post('/feedback/evm/prepare', { network: 'localnet', rater: rater.address, feedback }))
      .body
    const submit: Fields = {
      network: 'localnet',
      rater: rater.address,
      feedback,
      payment,
      deadline: prepared['deadline'],
      nonce: prepared['nonce'],
      signature: await signer.signTypedData(prepared['typedData'] as TypedData),
    }
    if (prepared['delegated'] === false) {
      await delegating({ chainId: Number(prepared['chainId']) })(submit, prepared)
    }
    await change(submit, prepared)
    return rig.post('/feedback/evm/submit', submit)
  }

  const foreign = privateKeySigner(stranger.privateKey)
  /** A delegation of the account to the contract that was prepared, unless it is said otherwise. */
  function delegating(of: { chainId?: number; address?: Hex; by?: typeof signer; ahead?: number }): Change {
    const { chainId = 31337, address, by = signer, ahead = 0 } = of
    return async (submit, prepared) => {
      submit['authorization'] = await by.signAuthorization({
        chainId,
        address: address ?? (prepared['delegate'] as Hex),
        nonce: Number(prepared['accountNonce']) + ahead,
      })
    }
  }
  const without =
    (name: string): Change =>
    (submit) => {
      submit[name] = undefined
    }
  const saying =
    (name: string, other: Fields): Change =>
    (submit) => {
      submit[name] = { ...(submit[name] as object), ...other }
    }
  const endingAt =
    (deadline: number): Change =>
    (submit) => {
      submit['deadline'] = deadline
    }

  test.each<[string, string, Change]>([
    ['without a delegation', 'relay_missing_authorization', without('authorization')],
    [
      'with a delegation to another contract',
      'relay_authorization_wrong_delegate',
      delegating({ address: worker.address }),
    ],
    ['with a delegation for another chain', 'relay_authorization_wrong_chain', delegating({ chainId: 1 })],
    ["with a stranger's delegation", 'relay_authorization_not_by_rater', delegating({ by: foreign })],
    ['with a stale delegation', 'relay_authorization_wrong_nonce', delegating({ ahead: 7 })],
    [
      'signed by a stranger',
      'relay_bad_signature',
      async (submit, prepared) => {
        submit['signature'] = await foreign.signTypedData(prepared['typedData'] as TypedData)
      },
    ],
    ['with another score than signed', 'relay_bad_signature', saying('feedback', { value: 1 })],
    ['without a payment behind it', 'proof_missing', without('payment')],
    ['with the payment of others', 'proof_payer_is_not_rater', saying('payment', { payer: payer.address })],
    [
      'with a payment that was never made',
      'proof_transaction_not_found',
      saying('payment', { transactionHash: randomHex32() }),
    ],
    ['past its deadline', 'relay_expired', endingAt(1_000)],
    ['with a deadline too far ahead', 'relay_deadline_too_far', endingAt(Math.floor(Date.now() / 1000) + 100_000)],
  ])('is refused %s', async (_what, code, change) => {
    expect(await relay(change)).toMatchObject({ status: 400, body: { success: false, errorCode: code } })
  })

  test('has the rater as its author, costs what is counted at most, needs the delegation once, and cannot be replayed', async () => {
    let sent: Fields = {}
    // As long as they may be.
    const [tag, text] = ['€'.repeat(128), '€'.repeat(2_048)]
    const first = await relay(
      (submit) => {
        sent = submit
      },
      { tag1: tag, tag2: tag, endpoint: text, feedbackUri: text },
    )
    expect(first).toMatchObject({ status: 200, body: { success: true, feedbackIndex: 1, author: rater.address } })
    const receipt = await rpc(rig.rpcUrl, 'eth_getTransactionReceipt', [first.body['transaction']])
    const { gasUsed } = receipt as { readonly gasUsed: string } // a receipt has it
    expect(Number(gasUsed)).toBeLessThanOrEqual(gasOfFeedback(readFeedback(sent['feedback'])))
    const { body } = await rig.get(`/reputation/localnet/${agentId}?includeFeedback=true`)
    expect(body).toMatchObject({ summary: { count: 1, summaryValue: '95' } })
    expect((body['feedback'] as { client: string }[])[0]?.client.toLowerCase()).toBe(rater.address)
    expect(
      await relay((submit) => {
        expect(submit['authorization']).toBeUndefined()
      }),
    ).toMatchObject({ status: 200, body: { feedbackIndex: 2 } })
    expect(await rig.post('/feedback/evm/submit', sent)).toMatchObject({
      status: 400,
      body: { errorCode: 'relay_nonce_already_used' },
    })
  })
})
