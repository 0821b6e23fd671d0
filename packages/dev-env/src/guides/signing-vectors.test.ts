import { signingVectors } from '@ergon/contract'
import {
  authorizationNonce,
  hashMessage,
  hashTypedData,
  paymentInfoFromWire,
  paymentInfoHash,
  privateKeySigner,
  recoverAddress,
  signRequest,
  verifyRequest,
} from '@ergon/protocols'
import { verifyWebhook } from '@ergon/sdk'
import { hexToBytes } from 'viem'
import { hashAuthorization } from 'viem/utils'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'

/** What `/signing-vectors.json` says is what our verifiers take, and what our client and another library sign. */

const { wallet, requests, payments, typed_data, authorizations, webhooks } = signingVectors
const signer = privateKeySigner(wallet.key)
const account = privateKeyToAccount(wallet.key)
const half = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

test('the key is that of the address', () => {
  expect([signer.address, account.address.toLowerCase()]).toEqual([wallet.address, wallet.address])
})

test.each(requests)('a request is verified, and signed again alike: $what', async (vector) => {
  const { method, url, headers, body, chain_id, created, nonce, text, hash, signed } = vector
  const { host, pathname, search } = new URL(url)
  const verdict = await verifyRequest(
    {
      method,
      target: `${pathname}${search}`,
      headers: Object.entries({ Host: host, ...headers, ...signed }),
      body: new TextEncoder().encode(body ?? ''),
    },
    {
      policy: { authorities: [host], chains: [chain_id], maxValiditySec: 300, clockSkewSec: 30 },
      now: created,
      nonces: { consume: async () => true },
      contracts: { isValidSignature: async () => false },
    },
  )
  expect(verdict).toEqual({ ok: true, chainId: chain_id, address: wallet.address, byKey: true })
  const again = await signRequest(
    { method, url, headers, ...(body === null ? {} : { body }) },
    { signer, chainId: chain_id, now: created, nonce },
  )
  expect(again).toEqual(Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value])))
  expect(`0x${Buffer.from(hashMessage(text)).toString('hex')}`).toBe(hash)
  const bytes = Buffer.from(signed.Signature.slice('eth=:'.length, -1), 'base64')
  expect(`0x${bytes.toString('hex')}`).toBe(await account.signMessage({ message: text }))
  expect(BigInt(`0x${bytes.subarray(32, 64).toString('hex')}`)).toBeLessThanOrEqual(half)
})

test.each(payments)(
  'the nonce follows from the terms: $what',
  ({ payment_info, payer, chain_id, escrow, ...named }) => {
    const info = paymentInfoFromWire(payment_info, payer)
    expect(authorizationNonce(info, chain_id, escrow)).toBe(named.nonce)
    expect(paymentInfoHash(info, chain_id, escrow)).toBe(named.payment_info_hash)
  },
)

test('the transfer that is signed carries the nonce of the terms', () => {
  expect(typed_data[0].document.message.nonce).toBe(payments[0].nonce)
})

test.each(typed_data)('a document is signed by the wallet: $what', async ({ document, hash, signature }) => {
  const digest = hashTypedData(document)
  expect(`0x${Buffer.from(digest).toString('hex')}`).toBe(hash)
  expect(recoverAddress(digest, hexToBytes(signature))).toBe(wallet.address)
  // Of two documents of different shape: the library wants one of them at a time.
  expect(await account.signTypedData(document as Parameters<typeof account.signTypedData>[0])).toBe(signature)
})

test.each(authorizations)('an authorization is signed by the wallet: $what', async ({ authorization, hash }) => {
  const { chainId, address, nonce, ...signature } = authorization
  expect(hashAuthorization({ chainId, address, nonce })).toBe(hash)
  expect(await signer.signAuthorization?.({ chainId, address, nonce })).toEqual(authorization)
  expect(await account.signAuthorization({ chainId, address, nonce })).toMatchObject(signature)
})

test.each(webhooks)('a webhook is believed: $what', async ({ secret, id, timestamp, body, signature }) => {
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  expect(await verifyWebhook(body, headers, secret, { now: () => Number(timestamp) * 1_000 })).toMatchObject({ id })
})
