import { MarketError } from '@ergon/core'
import { AwsClient } from 'aws4fetch'

export type BucketSettings = {
  /** Without a slash at its end. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  /** The bucket in the path instead of in the host name. */
  readonly pathStyle: boolean
  /** For one exchange with the store, its body included. */
  readonly timeoutMs?: number
}

export type Presigning = {
  readonly expiresSec: number
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

/** One bucket over the S3 protocol, signed with SigV4. */
export type Bucket = {
  urlOf(object: string): string
  /** A link that does one thing to one object for a while; what is in `headers` has to be sent exactly so. */
  presign(method: 'GET' | 'PUT', object: string, now: Date, how: Presigning): Promise<string>
  get(object: string, maxBytes: number): Promise<Buffer | 'absent' | 'too_large'>
  has(object: string): Promise<boolean>
  /** What is not there is no error. */
  remove(object: string): Promise<void>
  put(object: string, bytes: Buffer, about: { readonly contentType: string; readonly sha256: string }): Promise<void>
}

const defaultTimeoutMs = 20_000

export function createBucket(settings: BucketSettings): Bucket {
  const client = new AwsClient({
    accessKeyId: settings.accessKey,
    secretAccessKey: settings.secretKey,
    service: 's3',
    region: settings.region,
    retries: 0,
  })
  const base = baseOf(settings)
  const urlOf = (object: string): string => base + object
  const exchange = async <T>(object: string, init: RequestInit, read: (reply: Response) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.timeout(settings.timeoutMs ?? defaultTimeoutMs)
    try {
      return await read(await fetch(await client.sign(urlOf(object), init), { signal, redirect: 'error' }))
    } catch (cause) {
      // What the reply says is told by `read`; whatever else went wrong, the store could not be reached in time.
      throw cause instanceof StoreRefusal
        ? cause
        : new MarketError('SERVICE_BUSY', { part: 'evidence storage' }, { cause })
    }
  }
  return {
    urlOf,
    async presign(method, object, now, { expiresSec, headers = {}, query = {} }) {
      const url = new URL(urlOf(object))
      for (const [name, value] of Object.entries({ 'X-Amz-Expires': String(expiresSec), ...query }))
        url.searchParams.set(name, value)
      const signed = await client.sign(url.href, {
        method,
        headers,
        aws: { signQuery: true, allHeaders: true, datetime: now.toISOString().replaceAll(/[:-]|\.\d{3}/g, '') },
      })
      return signed.url
    },
    get: (object, maxBytes) =>
      exchange(object, { method: 'GET' }, async (reply) => {
        if (reply.status === 404) return discarded(reply, 'absent' as const)
        if (!reply.ok) throw await refusal(reply)
        if (Number(reply.headers.get('content-length') ?? 0) > maxBytes) return discarded(reply, 'too_large' as const)
        return collect(reply, maxBytes)
      }),
    has: (object) =>
      exchange(object, { method: 'HEAD' }, async (reply) => {
        if (!reply.ok && reply.status !== 404) throw await refusal(reply)
        return discarded(reply, reply.ok)
      }),
    remove: (object) =>
      exchange(object, { method: 'DELETE' }, async (reply) => {
        if (!reply.ok && reply.status !== 404) throw await refusal(reply)
        await reply.body?.cancel()
      }),
    put: (object, bytes, { contentType, sha256 }) =>
      exchange(
        object,
        {
          method: 'PUT',
          body: new Uint8Array(bytes),
          headers: { 'content-type': contentType, 'x-amz-content-sha256': sha256 },
        },
        async (reply) => {
          if (!reply.ok) throw await refusal(reply)
          await reply.body?.cancel()
        },
      ),
  }
}

/** The store answered, and not as asked: a wrong key or a missing bucket, for the operator to mend. */
class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal'
}

/** Where browsers reach the bucket. */
export function bucketOrigin(settings: Pick<BucketSettings, 'endpoint' | 'bucket' | 'pathStyle'>): string {
  return new URL(baseOf(settings)).origin
}

function baseOf({ endpoint, bucket, pathStyle }: Pick<BucketSettings, 'endpoint' | 'bucket' | 'pathStyle'>): string {
  if (pathStyle) return `${endpoint}/${bucket}/`
  const url = new URL(endpoint)
  return `${url.protocol}//${bucket}.${url.host}/`
}

async function collect(reply: Response, maxBytes: number): Promise<Buffer | 'too_large'> {
  const chunks: Uint8Array[] = []
  let length = 0
  const body: ReadableStream<Uint8Array> | null = reply.body
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > maxBytes) return 'too_large' // leaving the loop ends the transfer
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

async function discarded<T>(reply: Response, answer: T): Promise<T> {
  await reply.body?.cancel()
  return answer
}

/** A store in trouble counts as unreachable; one that refuses is misconfigured. */
async function refusal(reply: Response): Promise<Error> {
  await reply.body?.cancel()
  const message = `the evidence store answered ${String(reply.status)}`
  return reply.status >= 500 || reply.status === 429 ? new Error(message) : new StoreRefusal(message)
}
