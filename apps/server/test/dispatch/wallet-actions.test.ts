import { describe, expect, test } from 'vitest'
import { asksFor, createWalletActions, type Lacking, type LinkAnswer } from '../../src/dispatch/wallet-actions.ts'
import { ada } from './one-call.ts'

const typedData = {
  domain: { name: 'market' },
  types: { Offer: [{ name: 'nonce', type: 'bytes32' }] },
  primaryType: 'Offer',
  message: { nonce: '0x01' },
}
const challenge = { typed_data: typedData, expires_at: '2026-11-22T00:00:00Z', nonce: '0x01' }
const given = { task_id: 't', worker_amount_usd: 5, note: 'half of it' }
const lacking: Lacking = { operation: 'offers.propose', given, code: 'SETTLEMENT_SIGNATURE_REQUIRED', wallet: ada }
const adds = { expires_at: challenge.expires_at, nonce: challenge.nonce }
const signed = {
  kind: 'eip712',
  reason: 'SETTLEMENT_SIGNATURE_REQUIRED',
  typed_data: typedData,
  paybox: {
    tool: 'paybox_request_wallet_sign',
    arguments: { intent: { op: 'typedData', typedData } },
    needs: { credentialId: `the wallet credential of ${ada}` },
  },
  ows: {
    tool: 'ows_sign_typed_data',
    arguments: { typed_data: JSON.stringify(typedData) },
    needs: { wallet: `name or id of the wallet of ${ada}` },
  },
  how_to_return: {
    tool: 'svc_offer_settlement',
    action: 'settlements/propose',
    parameter: 'signature',
    arguments: { ...given, ...adds },
    value: {},
    signature_at: 'signature',
    encoding: 'text',
  },
}

async function blockOf(answer: LinkAnswer | null | undefined, call: Lacking = lacking) {
  const asked: unknown[] = []
  const signatureFor = (...of: unknown[]): Promise<LinkAnswer | null> => {
    asked.push(of)
    return Promise.resolve(answer ?? null)
  }
  const actions = createWalletActions({ linked: answer === undefined ? null : { signatureFor } })
  const read: unknown[] = []
  const handed = await actions(call, (...of) => {
    read.push(of)
    return Promise.resolve(challenge)
  })
  return { handed, read, asked }
}

describe('a call that lacks a signature answers what to sign', () => {
  test('read as the caller, with the fields that the challenge takes and no others', async () => {
    const { handed, read } = await blockOf(undefined)
    expect(read).toEqual([['offers.challenge', { task_id: 't', worker_amount_usd: 5 }]])
    expect(handed?.challenge).toBe(challenge)
    expect(handed?.wallet_action).toMatchObject(signed)
  })

  test('the same where a signer could be linked and none is', async () => {
    const { handed, asked } = await blockOf(null)
    expect(handed?.wallet_action).toMatchObject(signed)
    const about = { task_id: 't', worker_amount_usd: 5 }
    expect(asked).toEqual([[ada, expect.objectContaining({ operation: 'offers.propose', typedData, adds }), about]])
  })

  test('as the call to make, where the linked signer has signed', async () => {
    const asked = {
      operation: 'offers.propose',
      parameter: 'signature',
      typedData,
      value: {},
      signatureAt: 'signature',
      encoding: 'text',
      adds,
    } as const
    const { handed } = await blockOf({ state: 'signed', asked, signature: '0xabc' })
    expect(handed?.wallet_action).toMatchObject({
      kind: 'paybox_signed',
      reason: 'SETTLEMENT_SIGNATURE_REQUIRED',
      how_to_return: { arguments: { ...given, ...adds, signature: '0xabc' } },
    })
  })

  test('with the reason beside the recipe, where the signer leaves it to the caller', async () => {
    const { handed } = await blockOf({ state: 'kept', reason: 'autonomous_wallet' })
    expect(handed?.wallet_action).toMatchObject({ ...signed, paybox_link: { reason: 'autonomous_wallet' } })
  })

  test.each([
    ['with the page where the owner approves', { approvalUrl: 'https://signer.test/1' }],
    ['without a page', {}],
  ])('as a call to repeat, while the owner has not answered: %s', async (_what, page) => {
    const { handed } = await blockOf({ state: 'pending', reason: 'awaits_owner', requestId: 'req', ...page })
    expect(handed?.wallet_action).toEqual({
      kind: 'paybox_pending',
      reason: 'SETTLEMENT_SIGNATURE_REQUIRED',
      paybox_link: {
        reason: 'awaits_owner',
        request_id: 'req',
        ...('approvalUrl' in page ? { approval_url: page.approvalUrl } : {}),
      },
      how_to_return: expect.objectContaining({ arguments: given }) as unknown,
    })
  })

  test.each([
    ['another code', { code: 'FORBIDDEN' }],
    ['an operation that is never signed', { operation: 'tasks.get' }],
  ] as const)('nothing for %s, and no challenge is read', async (_what, change) => {
    const { handed, read } = await blockOf(undefined, { ...lacking, ...change })
    expect([handed, read]).toEqual([null, []])
    expect(asksFor({ ...lacking, ...change })).toBe(undefined)
  })

  test('nothing where the challenge leaves nothing to sign', async () => {
    const actions = createWalletActions({ linked: null })
    const about = { ...given, ...adds, signature: '0x' }
    const paid = { ...challenge, settlement_auth_worker: null, settlement_auth_fee: null }
    expect(await actions({ ...lacking, given: about }, () => Promise.resolve(paid))).toBe(null)
  })
})
