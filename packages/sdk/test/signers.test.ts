import { createServer } from 'node:http'
import { once } from 'node:events'
import { escrowAuthorizationChallenge, privateKeySigner, type Signer } from '@ergon/protocols'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { eip1193Signer, remoteSigner, viemSigner, type SigningRequest } from '../src/index.ts'
import { deployment, payer, token, worker } from './small-market.ts'

const key = '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a'
const own = privateKeySigner(key)
const account = privateKeyToAccount(key)
const { typed_data } = escrowAuthorizationChallenge({
  chainId: 31337,
  ...deployment,
  token,
  payer: payer.address,
  receiver: worker.address,
  amount: 1_000_000n,
  minFeeBps: 0,
  maxFeeBps: 1_300,
  preApprovalExpiry: 2_000_000_000,
  authorizationExpiry: 2_000_000_001,
  refundExpiry: 2_000_000_002,
  salt: 7n,
})

/** A wallet extension that keeps its key to itself. */
const provider = {
  async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    const [first, second] = Array.isArray(params) ? (params as readonly unknown[]) : []
    if (method === 'eth_requestAccounts') return [account.address]
    if (method === 'personal_sign') return account.signMessage({ message: { raw: first as `0x${string}` } })
    if (method === 'eth_signTypedData_v4')
      return account.signTypedData(JSON.parse(String(second)) as Parameters<typeof account.signTypedData>[0])
    throw new Error(`the wallet knows no ${method}`)
  },
}

/** A key service that takes requests over HTTP. */
async function keyService() {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as SigningRequest
      const signature =
        asked.kind === 'message'
          ? await account.signMessage({ message: { raw: asked.message } })
          : await own.signTypedData(asked.typed_data)
      response.end(JSON.stringify({ signature }))
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${String(typeof address === 'object' && address !== null ? address.port : 0)}`
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}

describe('a wallet signs the same, wherever its key is', () => {
  const signsAlike = async (signer: Signer): Promise<void> => {
    expect(signer.address).toBe(own.address)
    expect(await signer.signMessage('words, and ünïcode')).toBe(await own.signMessage('words, and ünïcode'))
    expect(await signer.signMessage(Uint8Array.of(0, 1, 255))).toBe(await own.signMessage(Uint8Array.of(0, 1, 255)))
    expect(await signer.signTypedData(typed_data)).toBe(await own.signTypedData(typed_data))
  }

  test('an account of viem', async () => {
    const signer = viemSigner(account)
    await signsAlike(signer)
    const authorization = { chainId: 31337, address: worker.address, nonce: 3 }
    expect(await signer.signAuthorization?.(authorization)).toEqual(await own.signAuthorization(authorization))
  })

  test('the wallet of a page, by EIP-1193', async () => {
    await signsAlike(await eip1193Signer(provider))
    await signsAlike(await eip1193Signer(provider, account.address))
  })

  test('a signer reached over HTTP', async () => {
    await using service = await keyService()
    await signsAlike(
      remoteSigner(account.address, async (request) => {
        const answer = await fetch(service.url, { method: 'POST', body: JSON.stringify(request) })
        return ((await answer.json()) as { signature: string }).signature
      }),
    )
  })
})

test.each(['', 'not hex', '0x1', '{}'])('what is no signature is not passed on: %o', async (answer) => {
  await expect(remoteSigner(own.address, async () => answer).signMessage('words')).rejects.toThrow(TypeError)
  await expect(
    (await eip1193Signer({ request: async () => answer }, own.address)).signTypedData(typed_data),
  ).rejects.toThrow(TypeError)
})

test('a page without an account is told so', async () => {
  await expect(eip1193Signer({ request: async () => [] })).rejects.toThrow(TypeError)
})
