import { randomBytes } from 'node:crypto'
import { generatePrivateKey, privateKeySigner, signRequest } from '@ergon/protocols'

export type SignedPost = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer<ArrayBuffer>
}

export const bodyBytes = 1024
export const chainId = 8453
export const host = 'market.example'

/** Distinct valid requests of one wallet, with a JSON body of 1 KiB each. */
export async function signPosts(count: number): Promise<SignedPost[]> {
  const signer = privateKeySigner(generatePrivateKey())
  const now = Math.floor(Date.now() / 1000)
  const url = `https://${host}/api/v1/tasks`
  const posts: SignedPost[] = []
  for (let made = 0; made < count; made += 1) {
    const body = bodyOf(made)
    const unsigned = { 'content-type': 'application/json' }
    const added = await signRequest(
      { method: 'POST', url, headers: unsigned, body },
      { signer, chainId, now, nonce: randomBytes(16).toString('base64url'), ttlSec: 300 },
    )
    posts.push({ url, headers: asReceived({ host, ...unsigned, ...added }), body })
  }
  return posts
}

/** Text off the wire is in one piece; text put together by a signer is not until it is first read. */
function asReceived(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value, 'latin1').toString('latin1')]),
  )
}

function bodyOf(number: number): Buffer<ArrayBuffer> {
  const start = `{"title":"Photo of the corner","number":${number},"instructions":"`
  return Buffer.from(`${start.padEnd(bodyBytes - 2, 'Take a photo of the shop window. ')}"}`)
}
